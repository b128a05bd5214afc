package dev.weir.core.watch;

import java.time.Duration;

/**
 * One place at which virtual threads were pinned, up to now.
 *
 * @param first the first pin there, with its stack
 * @param count how many pins
 * @param total how long their carriers were kept together
 * @param longest the longest of them
 */
public record PinnedSite(Pin first, long count, Duration total, Duration longest) {

    PinnedSite(Pin first) {
        this(first, 1, first.duration(), first.duration());
    }

    PinnedSite and(Pin pin) {
        Duration longer = pin.duration().compareTo(longest) > 0 ? pin.duration() : longest;
        return new PinnedSite(first, count + 1, total.plus(pin.duration()), longer);
    }
}
