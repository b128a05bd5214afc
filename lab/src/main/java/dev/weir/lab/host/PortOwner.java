package dev.weir.lab.host;

import java.util.List;

/** Who listens on a port of this machine. */
public sealed interface PortOwner {

    /**
     * The processes that hold the listening socket: one for most services, a master and its workers for others.
     *
     * @param pids ascending, at least one
     */
    record Found(List<Long> pids) implements PortOwner {
        public Found {
            pids = List.copyOf(pids);
        }
    }

    /**
     * Nobody this user can see.
     *
     * @param reason a sentence for the user: why not, and what to do
     */
    record NotFound(String reason) implements PortOwner {}
}
