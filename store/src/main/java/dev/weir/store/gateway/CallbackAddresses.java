package dev.weir.store.gateway;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Which addresses a callback's host may lead to. An origin that is allowed by its name is allowed for what it serves, but its name
 * leads where whoever keeps the name wants it to, today here and tomorrow into the network of the store (DNS rebinding). So the
 * addresses themselves are looked at, each time a connection is made: public ones, and of the others those of allowed networks. An
 * operator who allows an address or localhost by itself means it, and it is not looked at. Any thread may use it.
 */
final class CallbackAddresses {

    /** IANA's registry of special-purpose addresses, multicast and what is reserved. */
    private static final List<Network> SPECIAL = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/3",
                    "2001::/23",
                    "2001:db8::/32",
                    "2002::/16",
                    "3fff::/20")
            .map(text -> Network.parse(text).orElseThrow())
            .toList();

    /** All of IPv6 that is not special begins so. */
    private static final Network IPV6_GLOBAL = Network.parse("2000::/3").orElseThrow();

    /** Finds the addresses of a name; may block. */
    interface Names {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private final List<Network> allowed;
    private final Names names;

    /** @param allowed networks that names may lead to although they are not public */
    CallbackAddresses(List<Network> allowed, Names names) {
        this.allowed = List.copyOf(allowed);
        this.names = names;
    }

    /**
     * The addresses of a host to which a callback may go, one at least; may block.
     *
     * @throws UnknownHostException if it has none, with a sentence that says why
     */
    List<InetAddress> of(String host) throws UnknownHostException {
        InetAddress[] found = names.addresses(host);
        List<InetAddress> open = Arrays.stream(found)
                .filter(address -> host.toLowerCase(Locale.ROOT).equals("localhost") || isOpen(address))
                .toList();
        if (open.isEmpty()) {
            throw new UnknownHostException(
                    host + " leads to "
                            + (found.length == 0 ? "no address" : found[0].getHostAddress())
                            + ", which is not public: name its network in store.gateway.callbacks.allowed-networks if it is meant");
        }
        return open;
    }

    private boolean isOpen(InetAddress address) {
        boolean isPublic = (!(address instanceof Inet6Address) || IPV6_GLOBAL.contains(address))
                && SPECIAL.stream().noneMatch(network -> network.contains(address));
        return isPublic || allowed.stream().anyMatch(network -> network.contains(address));
    }
}
