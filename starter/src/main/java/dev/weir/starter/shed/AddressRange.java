package dev.weir.starter.shed;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * A block of addresses in CIDR notation (RFC 4632). Looks nothing up.
 *
 * @param network any address of it
 * @param bits how many leading bits all its addresses share
 */
record AddressRange(InetAddress network, int bits) {

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern LITERAL =
            Pattern.compile(OCTET + "(\\." + OCTET + "){3}|[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

    AddressRange {
        if (bits < 0 || bits > network.getAddress().length * Byte.SIZE) {
            throw new IllegalArgumentException("The prefix has " + bits + " bits.");
        }
    }

    /** @throws IllegalArgumentException where the text is neither an address nor a block of addresses */
    static AddressRange of(String text) {
        int slash = text.indexOf('/');
        InetAddress network = literal(slash < 0 ? text : text.substring(0, slash));
        return new AddressRange(
                network,
                slash < 0 ? network.getAddress().length * Byte.SIZE : Integer.parseInt(text.substring(slash + 1)));
    }

    /**
     * An address from its text.
     *
     * @throws IllegalArgumentException where the text is a name or nothing
     */
    static InetAddress literal(String text) {
        if (!LITERAL.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " is no address.");
        }
        try {
            // Never asks the name service for a text of this form.
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + " is no address.", e);
        }
    }

    boolean contains(InetAddress address) {
        byte[] own = network.getAddress();
        byte[] other = address.getAddress();
        if (own.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += Byte.SIZE) {
            int mask = 0xff << Math.max(0, Byte.SIZE - (bits - bit));
            if (((own[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }
}
