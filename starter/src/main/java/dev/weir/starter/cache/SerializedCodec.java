package dev.weir.starter.cache;

import dev.weir.core.cache.ValueCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/** Values by Java's serialization, as Spring's own Redis cache does where nothing else is said. */
final class SerializedCodec implements ValueCodec<Object> {

    private final ClassLoader loader;

    SerializedCodec(ClassLoader loader) {
        this.loader = loader;
    }

    @Override
    public byte[] encode(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    @Override
    public Object decode(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ApplicationClasses(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    /** Sees the application's classes. */
    private final class ApplicationClasses extends ObjectInputStream {
        ApplicationClasses(InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException primitiveOrForeign) {
                return super.resolveClass(description);
            }
        }
    }
}
