package dev.weir.core.route;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Positions in PostgreSQL's write-ahead log: a count of bytes in 63 bits here, written as two hexadecimal halves such as
 * {@code 16/B374D848} (type {@code pg_lsn}). A larger one is later.
 */
public final class Lsn {

    /** Before everything: asks nothing of a replica. */
    public static final long NONE = 0;

    /** After everything: no replica ever gets there, so only the primary will do. */
    public static final long PRIMARY_ONLY = Long.MAX_VALUE;

    private static final long PAGE_BYTES = 8192;
    private static final long SHORT_PAGE_HEADER_BYTES = 24;
    private static final long LONG_PAGE_HEADER_BYTES = 40;

    private Lsn() {}

    /**
     * Reads PostgreSQL's notation.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static long parse(String text) {
        int slash = text.indexOf('/');
        try {
            long high = Long.parseLong(text, 0, slash, 16);
            long low = Long.parseLong(text, slash + 1, text.length(), 16);
            if (high >= 0 && high <= Integer.MAX_VALUE && low >= 0 && low <= 0xFFFF_FFFFL) {
                return high << 32 | low;
            }
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw notAnLsn(text, e);
        }
        throw notAnLsn(text, null);
    }

    private static IllegalArgumentException notAnLsn(String text, @Nullable RuntimeException cause) {
        return new IllegalArgumentException(
                "'" + text + "' is no position in the write-ahead log; it must look like 16/B374D848.", cause);
    }

    /** PostgreSQL's notation. */
    public static String format(long lsn) {
        return Long.toHexString(lsn >>> 32).toUpperCase(Locale.ROOT)
                + "/"
                + Long.toHexString(lsn & 0xFFFF_FFFFL).toUpperCase(Locale.ROOT);
    }

    /**
     * What a replica must have replayed to show all that was committed when the primary's insert position was this one.
     *
     * <p>Where the last record ended at the end of a page, the insert position already stands behind the next page's
     * header, while a replica's replay position stays at the end of the record until another one comes: on an idle primary
     * that replica would look too old for ever. Right behind a header nothing of the page is used, so its start is enough.
     * Sizes: XLOG_BLCKSZ, SizeOfXLogShortPHD, SizeOfXLogLongPHD; only for the usual page of 8 kB.
     */
    public static long neededAfterInsertAt(long insertLsn, long pageBytes) {
        long intoPage = insertLsn % PAGE_BYTES;
        boolean behindHeader = intoPage == SHORT_PAGE_HEADER_BYTES || intoPage == LONG_PAGE_HEADER_BYTES;
        return pageBytes == PAGE_BYTES && behindHeader ? insertLsn - intoPage : insertLsn;
    }
}
