package dev.weir.core.publish.spool;

/**
 * What opening a spool found.
 *
 * @param records whole records not marked as delivered
 * @param cutBytes bytes of a torn record cut from the end; such a record had not been acknowledged, unless the disk lost it
 * @param damagedFiles files with broken records before their end; their whole records are kept, the files stay as .damaged
 */
public record SpoolRecovery(long records, long cutBytes, int damagedFiles) {}
