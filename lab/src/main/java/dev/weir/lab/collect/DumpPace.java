package dev.weir.lab.collect;

import java.time.Duration;

/**
 * How long to wait between two thread dumps, so that watching costs the service and the generator beside it little: the
 * wait is a fixed multiple of what the last dump took, within bounds. A dump of more than 20 ms meets the upper bound and
 * costs more than 2 % of the time, but on a machine that is full most of that is its own wait for a CPU: the steps in
 * which dumps are slow are those whose verdict rests on them, and a step of 4 seconds needs more than one or two.
 */
final class DumpPace {
    /** A dump takes one fiftieth of the time, 2 %, unless a bound says otherwise. */
    private static final int WAIT_PER_DUMP = 50;

    private static final Duration SHORTEST = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private DumpPace() {}

    /** The wait after a dump that took this long. */
    static Duration after(Duration took) {
        Duration wait = took.multipliedBy(WAIT_PER_DUMP);
        if (wait.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }
}
