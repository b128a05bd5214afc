package dev.weir.store.gateway;

import java.net.InetAddress;
import java.util.Optional;

/** A range of addresses that share their first bits (CIDR, RFC 4632 and RFC 4291). Immutable. */
final class Network {

    private final byte[] prefix;
    private final int bits;

    private Network(byte[] prefix, int bits) {
        this.prefix = prefix;
        this.bits = bits;
    }

    /** Reads one such as 10.1.0.0/16 or fd00:1::/32; empty where it is none. */
    static Optional<Network> parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        try {
            byte[] prefix = InetAddress.ofLiteral(text.substring(0, slash)).getAddress();
            int bits = Integer.parseInt(text.substring(slash + 1));
            return bits < 0 || bits > prefix.length * Byte.SIZE
                    ? Optional.empty()
                    : Optional.of(new Network(prefix, bits));
        } catch (IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != prefix.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (bytes[i] != prefix[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || (bytes[whole] ^ prefix[whole]) >> (Byte.SIZE - rest) == 0;
    }
}
