package dev.weir.core.cache;

/** A loader threw, or the thread was interrupted while another one loaded; the cause tells which. */
public final class LoadFailedException extends RuntimeException {

    LoadFailedException(String cache, String key, Throwable cause) {
        super("Loading key " + key + " of cache " + cache + " failed: " + cause, cause);
    }
}
