package dev.weir.lab.host;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * The listening sockets in /proc/net/tcp and /proc/net/tcp6.
 *
 * <p>The kernel writes an address as its 32-bit words in the host's byte order, each in hexadecimal; this reads the
 * little-endian form, the only one of the machines Weir runs on. For a listening socket the column {@code rx_queue} is
 * the number of connections that are established and wait for {@code accept} (tcp_ipv4.c, get_tcp4_sock).
 */
final class TcpListeners {
    private static final String LISTEN = "0A";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int QUEUES = 4;
    private static final int INODE = 9;

    private final ProcFiles proc;

    TcpListeners(ProcFiles proc) {
        this.proc = proc;
    }

    /** One listening socket. */
    record Listener(String addressHex, int port, int acceptQueue, long inode) {
        boolean wildcard() {
            return addressHex.chars().allMatch(c -> c == '0');
        }
    }

    boolean available() {
        return proc.exists("net/tcp");
    }

    /** The sockets a connection to this address and port may reach: those bound to it, else those bound to any. */
    List<Listener> reachedBy(InetAddress address, int port) {
        List<Listener> onPort = all().stream().filter(l -> l.port() == port).toList();
        List<Listener> exact = onPort.stream()
                .filter(l -> hexForms(address).contains(l.addressHex()))
                .toList();
        return exact.isEmpty() ? onPort.stream().filter(Listener::wildcard).toList() : exact;
    }

    private List<Listener> all() {
        List<Listener> listeners = new ArrayList<>();
        for (String file : List.of("net/tcp", "net/tcp6")) {
            proc.lines(file).stream().skip(1).forEach(line -> addIfListening(line, listeners));
        }
        return listeners;
    }

    private static void addIfListening(String line, List<Listener> listeners) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields.length <= INODE || !fields[STATE].equals(LISTEN)) {
            return;
        }
        String[] local = fields[LOCAL_ADDRESS].split(":", -1);
        String receiveQueue = fields[QUEUES].substring(fields[QUEUES].indexOf(':') + 1);
        listeners.add(new Listener(
                local[0],
                Integer.parseInt(local[1], 16),
                (int) Long.parseLong(receiveQueue, 16),
                Long.parseLong(fields[INODE])));
    }

    /** How the kernel may write the address: as itself, and for IPv4 also mapped into IPv6, as Java binds it. */
    static List<String> hexForms(InetAddress address) {
        String words = wordsHex(address.getAddress());
        return words.length() == 8 ? List.of(words, "0000000000000000FFFF0000" + words) : List.of(words);
    }

    private static String wordsHex(byte[] networkOrder) {
        byte[] swapped = new byte[networkOrder.length];
        for (int i = 0; i < swapped.length; i++) {
            swapped[i] = networkOrder[i / 4 * 4 + 3 - i % 4];
        }
        return HexFormat.of().formatHex(swapped).toUpperCase(Locale.ROOT);
    }
}
