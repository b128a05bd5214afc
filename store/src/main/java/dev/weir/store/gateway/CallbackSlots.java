package dev.weir.store.gateway;

import java.util.HashMap;
import java.util.Map;

/**
 * Shares a number of calls at once between clients and the servers they are told at. A client may have an eighth of what is
 * free at the moment, a server half of it (dynamic thresholds: Choudhury, Hahne 1998). So one that hangs gets a ninth of all, eight that
 * hang get half together, and however many there are, what they leave free is there for those that answer. Only when as many hang as
 * there are calls do others wait, and then for no longer than a call may last. Not safe for several threads.
 */
final class CallbackSlots {

    private static final int CLIENT_DIVISOR = 8;
    private static final int ORIGIN_DIVISOR = 2;

    /**
     * A client and a server of its.
     *
     * @param origin scheme, host and port
     */
    record Turn(String client, String origin) {}

    private final int slots;
    private final Map<String, Integer> byClient = new HashMap<>();
    private final Map<String, Integer> byOrigin = new HashMap<>();
    private int taken;

    CallbackSlots(int slots) {
        this.slots = slots;
    }

    /** How many more may be called now for this client at this server; 0 for none. */
    int room(Turn turn) {
        int free = slots - taken;
        int ofClient = Math.max(1, free / CLIENT_DIVISOR) - byClient.getOrDefault(turn.client, 0);
        int ofOrigin = Math.max(1, free / ORIGIN_DIVISOR) - byOrigin.getOrDefault(turn.origin, 0);
        return Math.max(0, Math.min(free, Math.min(ofClient, ofOrigin)));
    }

    /** So many calls begin, or, below 0, have ended. */
    void add(Turn turn, int calls) {
        taken += calls;
        change(byClient, turn.client, calls);
        change(byOrigin, turn.origin, calls);
    }

    private static void change(Map<String, Integer> counts, String name, int by) {
        int count = counts.merge(name, by, Integer::sum);
        if (count <= 0) {
            counts.remove(name);
        }
    }

    /** Calls under way. */
    int taken() {
        return taken;
    }
}
