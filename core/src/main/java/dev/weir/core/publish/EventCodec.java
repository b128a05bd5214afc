package dev.weir.core.publish;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Events as bytes on disk: version, id, topic, key, headers, value. */
final class EventCodec {
    private static final int VERSION = 1;
    private static final int NO_KEY = -1;

    private EventCodec() {}

    static byte[] encode(Event event) {
        ByteArrayOutputStream bytes =
                new ByteArrayOutputStream(64 + event.topic().length() + event.sizeBytes());
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            UUID id = Objects.requireNonNull(event.id());
            out.writeByte(VERSION);
            out.writeLong(id.getMostSignificantBits());
            out.writeLong(id.getLeastSignificantBits());
            out.writeUTF(event.topic());
            writeKey(out, event.key());
            out.writeShort(event.headers().size());
            for (Map.Entry<String, byte[]> header : event.headers().entrySet()) {
                out.writeUTF(header.getKey());
                write(out, header.getValue());
            }
            write(out, event.value());
        } catch (IOException impossible) {
            throw new IllegalStateException("Bytes in memory cannot be written.", impossible);
        }
        return bytes.toByteArray();
    }

    private static void writeKey(DataOutputStream out, byte @Nullable [] key) throws IOException {
        if (key == null) {
            out.writeInt(NO_KEY);
        } else {
            write(out, key);
        }
    }

    private static void write(DataOutputStream out, byte[] content) throws IOException {
        out.writeInt(content.length);
        out.write(content);
    }

    /**
     * The event in these bytes.
     *
     * @throws IOException if they hold none
     */
    static Event decode(ByteBuffer content) throws IOException {
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != VERSION) {
                throw new IOException("An event of version " + version + " in the spool; this program reads " + VERSION
                        + ". Empty the spool with the program that wrote it.");
            }
            UUID id = new UUID(in.readLong(), in.readLong());
            String topic = in.readUTF();
            int keyBytes = in.readInt();
            byte[] key = keyBytes == NO_KEY ? null : in.readNBytes(keyBytes);
            return readRest(in, topic, key, id);
        }
    }

    private static Event readRest(DataInputStream in, String topic, byte @Nullable [] key, UUID id) throws IOException {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        int count = in.readUnsignedShort();
        for (int i = 0; i < count; i++) {
            headers.put(in.readUTF(), in.readNBytes(in.readInt()));
        }
        return Event.restored(topic, key, in.readNBytes(in.readInt()), headers, id);
    }
}
