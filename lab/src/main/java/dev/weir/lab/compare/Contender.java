package dev.weir.lab.compare;

import java.nio.file.Path;

/** One of the two ways to run a service, as asked for. */
public sealed interface Contender permits Variant, RunningService {

    /** What tables and sentences call it beside A or B. */
    String name();

    /** What it is, in one line: a command with its changes, or a URL. */
    String description();

    /** Whether every run starts it afresh. */
    boolean restarts();

    /**
     * Brings it up. Blocks until it is ready.
     *
     * @param logFile gets what a started service prints
     */
    Subject open(Path logFile) throws ServiceFailure, InterruptedException;
}
