package dev.weir.core.shed;

import java.util.Random;

/**
 * Turns names of callers into keys. The function is keyed by a secret of this process, so that nobody can choose a name
 * that shares another's quota. Thread-safe.
 */
public final class CallerKeys {

    private final long secret;

    public CallerKeys(Random random) {
        this.secret = random.nextLong();
    }

    /** The key of a user, a session, an address; allocates nothing. */
    public long of(CharSequence name) {
        long hash = secret;
        for (int i = 0; i < name.length(); i++) {
            hash = Mix.mix(hash + name.charAt(i));
        }
        return hash;
    }
}
