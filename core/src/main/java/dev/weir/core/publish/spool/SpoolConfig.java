package dev.weir.core.publish.spool;

/**
 * Bounds of a spool, checked once.
 *
 * @param maxBytes records not delivered yet may take so many bytes on disk, 1 MiB to 1 TiB; then appends are refused
 * @param segmentBytes size after which another file is begun, 64 KiB to 1 GiB; files are removed as a whole
 * @param maxRecordBytes largest record, 1 to 64 MiB
 */
public record SpoolConfig(long maxBytes, int segmentBytes, int maxRecordBytes) {
    private static final int MIB = 1 << 20;

    public SpoolConfig {
        require(maxBytes >= MIB && maxBytes <= 1L << 40, "spool-bytes", maxBytes, "1 MiB to 1 TiB");
        require(segmentBytes >= 1 << 16 && segmentBytes <= 1 << 30, "segment-bytes", segmentBytes, "64 KiB to 1 GiB");
        require(maxRecordBytes >= 1 && maxRecordBytes <= 64 * MIB, "max-record-bytes", maxRecordBytes, "1 to 64 MiB");
    }

    /** 1 GiB in files of 16 MiB, records up to 16 MiB. */
    public static SpoolConfig defaults() {
        return new SpoolConfig(1L << 30, 16 * MIB, 16 * MIB);
    }

    /** The same with another bound on all records together. */
    public SpoolConfig withMaxBytes(long bytes) {
        return new SpoolConfig(bytes, segmentBytes, maxRecordBytes);
    }

    /** The same with files of another size. */
    public SpoolConfig withSegmentBytes(int bytes) {
        return new SpoolConfig(maxBytes, bytes, maxRecordBytes);
    }

    private static void require(boolean right, String setting, Object given, String allowed) {
        if (!right) {
            throw new IllegalArgumentException(
                    "Spool: " + setting + " is " + given + "; allowed is " + allowed + ". Change " + setting + ".");
        }
    }
}
