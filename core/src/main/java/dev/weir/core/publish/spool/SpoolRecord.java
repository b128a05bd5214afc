package dev.weir.core.publish.spool;

import java.nio.ByteBuffer;

/**
 * One record as it was appended.
 *
 * @param sequence its number; grows from record to record, with gaps where an append failed
 * @param content its bytes, from position to limit; not shared with anyone
 */
public record SpoolRecord(long sequence, ByteBuffer content) {}
