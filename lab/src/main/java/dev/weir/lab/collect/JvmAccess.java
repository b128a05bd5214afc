package dev.weir.lab.collect;

/** Whether the inside of a process can be seen. */
sealed interface JvmAccess {

    /** It can: the connection is open and belongs to who asked for it. */
    record Attached(JvmConnection connection) implements JvmAccess {}

    /**
     * It cannot.
     *
     * @param reason a sentence for the user: why not, and what to do
     */
    record Refused(String reason) implements JvmAccess {}
}
