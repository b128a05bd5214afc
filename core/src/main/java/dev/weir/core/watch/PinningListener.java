package dev.weir.core.watch;

/**
 * Told of each pin, on the watch's own thread. What it throws is logged once and changes nothing; while it works no
 * further pin is seen.
 */
@FunctionalInterface
public interface PinningListener {

    /**
     * One pin was seen.
     *
     * @param pin what happened, up to about a second ago
     * @param firstAtItsSite whether it is the first at a place the watch keeps
     */
    void pinned(Pin pin, boolean firstAtItsSite);
}
