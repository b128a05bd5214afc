package dev.weir.core.outbox;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event's headers in one column: a count, then name and content of each; null for none. */
final class HeaderBytes {
    private HeaderBytes() {}

    static byte @Nullable [] encode(Map<String, byte[]> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(headers.size());
            for (Map.Entry<String, byte[]> header : headers.entrySet()) {
                out.writeUTF(header.getKey());
                out.writeInt(header.getValue().length);
                out.write(header.getValue());
            }
        } catch (IOException impossible) {
            throw new IllegalStateException("Bytes in memory cannot be written.", impossible);
        }
        return bytes.toByteArray();
    }

    static Map<String, byte[]> decode(byte @Nullable [] bytes) {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        if (bytes == null) {
            return headers;
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                headers.put(in.readUTF(), in.readNBytes(in.readInt()));
            }
        } catch (IOException broken) {
            throw new IllegalStateException("The column headers of the outbox holds something else.", broken);
        }
        return headers;
    }
}
