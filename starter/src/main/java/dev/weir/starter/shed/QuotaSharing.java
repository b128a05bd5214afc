package dev.weir.starter.shed;

/** How the adding up of quotas goes. */
interface QuotaSharing {

    /** How often the store did not answer. */
    long failures();
}
