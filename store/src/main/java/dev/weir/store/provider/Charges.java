package dev.weir.store.provider;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The charges made, each once for its idempotency key; safe for many threads.
 *
 * <p>Remembers the last {@code capacity} keys and forgets older ones, so a load run of any length fits in memory.
 */
final class Charges {

    private static final String WITHDRAWN = "withdrawn";

    /**
     * What became of a charge.
     *
     * @param reason why it was declined, null when it was charged
     * @param replayed whether the key had been used before and nothing was charged again
     */
    record Charge(String id, long amountCents, @Nullable String reason, boolean replayed) {

        /** The status it is answered with: charged, declined, or withdrawn before it was charged. */
        int status() {
            return reason == null ? 201 : reason.equals(WITHDRAWN) ? 410 : 402;
        }
    }

    private final int capacity;
    private final Map<String, Charge> byKey = new HashMap<>();
    private final Queue<String> oldestFirst = new ArrayDeque<>();
    private long charged;
    private long chargedCents;

    Charges(int capacity) {
        this.capacity = capacity;
    }

    synchronized Charge charge(String key, long amountCents, boolean decline) {
        Charge earlier = earlier(key);
        if (earlier != null) {
            return earlier;
        }
        var charge = new Charge("ch_" + key, amountCents, decline ? "card_declined" : null, false);
        remember(key, charge);
        if (!decline) {
            charged++;
            chargedCents += amountCents;
        }
        return charge;
    }

    /** The charge of this key; where there is none, there never will be one. */
    synchronized Charge withdraw(String key) {
        Charge earlier = earlier(key);
        if (earlier != null) {
            return earlier;
        }
        var none = new Charge("ch_" + key, 0, WITHDRAWN, false);
        remember(key, none);
        return none;
    }

    private @Nullable Charge earlier(String key) {
        Charge earlier = byKey.get(key);
        return earlier == null ? null : new Charge(earlier.id(), earlier.amountCents(), earlier.reason(), true);
    }

    synchronized long charged() {
        return charged;
    }

    synchronized long chargedCents() {
        return chargedCents;
    }

    private void remember(String key, Charge charge) {
        byKey.put(key, charge);
        oldestFirst.add(key);
        if (oldestFirst.size() > capacity) {
            byKey.remove(oldestFirst.remove());
        }
    }
}
