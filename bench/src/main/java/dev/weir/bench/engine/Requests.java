package dev.weir.bench.engine;

import dev.weir.lab.plan.RequestSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The request of these benches. */
final class Requests {
    private Requests() {}

    /** A GET as wrk sends it. */
    static RequestSource fixedGet(int thread, int threads) {
        byte[] bytes = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer request =
                ByteBuffer.allocateDirect(bytes.length).put(bytes).flip().asReadOnlyBuffer();
        return new RequestSource() {
            @Override
            public ByteBuffer next() {
                return request;
            }

            @Override
            public boolean isHead() {
                return false;
            }
        };
    }
}
