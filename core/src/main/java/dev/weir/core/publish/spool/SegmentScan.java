package dev.weir.core.publish.spool;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a file holds, found without trusting it.
 *
 * @param records whole records, in order
 * @param wholeBytes bytes up to the end of the last whole record before the first broken place
 * @param trailingBytes bytes after the last whole record of all
 * @param isDamaged whether whole records follow a broken place: not a torn tail, but a disk that lost something
 */
record SegmentScan(List<SpoolRecord> records, int wholeBytes, int trailingBytes, boolean isDamaged) {

    static SegmentScan of(ByteBuffer file, int start, long after, int maxRecordBytes) {
        List<SpoolRecord> records = new ArrayList<>();
        int position = start;
        int whole = -1;
        int end = start;
        long last = after;
        while (position < file.limit()) {
            SpoolRecord record = Frames.at(file, position, last, maxRecordBytes);
            if (record == null) {
                whole = whole < 0 ? position : whole;
                position++;
            } else {
                records.add(record);
                last = record.sequence();
                position += Frames.sizeOf(record);
                end = position;
            }
        }
        boolean damaged = whole >= 0 && end > whole;
        return new SegmentScan(records, whole < 0 ? end : whole, file.limit() - end, damaged);
    }
}
