package dev.weir.core.shed;

import java.util.Random;

/**
 * Turns names of callers into keys. The function is keyed by a secret of this process, so that nobody can choose a name
 * that shares another's quota. Thread-safe.
 */
public final class CallerKeys {

    private volatile long secret;

    public CallerKeys(Random random) {
        this.secret = random.nextLong();
    }

    /** From now on keys are those of other instances with the same secret. */
    public void share(long common) {
        secret = common;
    }

    /** The secret that another instance may {@link #share}. */
    public long secret() {
        return secret;
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
