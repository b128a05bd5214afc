package dev.weir.lab.compare;

import java.time.Duration;
import java.util.Optional;

/** One side while it runs. Closing it stops what was started for it. */
interface Subject extends AutoCloseable {

    /** Where the load goes. */
    String url();

    /**
     * CPU time its processes have spent so far; empty where it cannot be seen. From any thread; quick enough for once a
     * second.
     */
    Optional<Duration> cpuTime();

    @Override
    void close();
}
