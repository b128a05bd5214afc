package dev.weir.lab.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the processes behind a local address: through /proc on Linux, through {@code lsof} elsewhere. */
public final class ListeningProcess {
    private final ProcFiles proc;
    private final TcpListeners listeners;

    ListeningProcess(ProcFiles proc) {
        this.proc = proc;
        this.listeners = new TcpListeners(proc);
    }

    /** A finder for this machine. */
    public static ListeningProcess onThisMachine() {
        return new ListeningProcess(ProcFiles.system());
    }

    /** The processes listening on the address and port. Resolves the name, which may block; otherwise quick. */
    public PortOwner find(String host, int port) {
        try {
            InetAddress address = InetAddress.getByName(host);
            return isLocal(address)
                    ? findLocal(address, port)
                    : new PortOwner.NotFound(host + " is not an address of this machine, so the service's process "
                            + "cannot be watched; run weir on the service's machine to see inside it.");
        } catch (IOException e) {
            return new PortOwner.NotFound("The host " + host + " does not resolve: " + e.getMessage() + ".");
        }
    }

    private static boolean isLocal(InetAddress address) throws IOException {
        return address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || NetworkInterface.getByInetAddress(address) != null;
    }

    PortOwner findLocal(InetAddress address, int port) {
        if (!listeners.available()) {
            return byLsof(port);
        }
        Set<String> sockets = listeners.reachedBy(address, port).stream()
                .map(listener -> "socket:[" + listener.inode() + "]")
                .collect(Collectors.toSet());
        if (sockets.isEmpty()) {
            return new PortOwner.NotFound("No process of this machine listens on port " + port
                    + " in the network weir runs in; a service in a container is seen from inside the container only.");
        }
        return holders(sockets, port);
    }

    private PortOwner holders(Set<String> sockets, int port) {
        List<Long> pids = proc.numbers(".").stream()
                .filter(pid -> holdsAny(pid, sockets))
                .sorted()
                .toList();
        return pids.isEmpty()
                ? new PortOwner.NotFound("Port " + port + " is listened on, but by a process the user "
                        + System.getProperty("user.name")
                        + " may not look into; run weir as the service's user or as root, or give --pid.")
                : new PortOwner.Found(pids);
    }

    private boolean holdsAny(long pid, Set<String> sockets) {
        String fds = pid + "/fd";
        return proc.readable(fds)
                && proc.numbers(fds).stream().anyMatch(fd -> holds(proc.link(fds + "/" + fd), sockets));
    }

    private static boolean holds(@Nullable String link, Set<String> sockets) {
        return link != null && sockets.contains(link);
    }

    private static PortOwner byLsof(int port) {
        List<Long> pids = Command.lines("lsof", "-nP", "-iTCP:" + port, "-sTCP:LISTEN", "-t").stream()
                .filter(line -> line.chars().allMatch(Character::isDigit))
                .map(Long::valueOf)
                .sorted()
                .toList();
        return pids.isEmpty()
                ? new PortOwner.NotFound("lsof names no process that listens on port " + port
                        + "; run weir as the service's user or as root, or give --pid.")
                : new PortOwner.Found(pids);
    }

    /**
     * Connections that are established and wait to be accepted on the address and port, summed over its sockets; -1
     * where the system does not tell.
     */
    public int acceptQueue(InetAddress address, int port) {
        return listeners.available()
                ? listeners.reachedBy(address, port).stream()
                        .mapToInt(TcpListeners.Listener::acceptQueue)
                        .sum()
                : -1;
    }
}
