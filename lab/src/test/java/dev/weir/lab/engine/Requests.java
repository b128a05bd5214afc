package dev.weir.lab.engine;

import dev.weir.lab.plan.RequestSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Requests and addresses for tests. */
final class Requests {
    private Requests() {}

    static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    static RequestSource.Factory get() {
        return fixed("GET / HTTP/1.1\r\nHost: test\r\n\r\n", false);
    }

    static RequestSource.Factory head() {
        return fixed("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n", true);
    }

    static RequestSource.Factory broken() {
        return (thread, threads) -> new RequestSource() {
            @Override
            public ByteBuffer next() {
                throw new IllegalStateException("no more requests");
            }

            @Override
            public boolean isHead() {
                return false;
            }
        };
    }

    static RequestSource.Factory fixed(String text, boolean head) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer request =
                ByteBuffer.allocateDirect(bytes.length).put(bytes).flip().asReadOnlyBuffer();
        return (thread, threads) -> new RequestSource() {
            @Override
            public ByteBuffer next() {
                return request;
            }

            @Override
            public boolean isHead() {
                return head;
            }
        };
    }
}
