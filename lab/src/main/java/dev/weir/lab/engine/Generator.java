package dev.weir.lab.engine;

import dev.weir.lab.measure.Measurement;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.Load;
import java.util.function.Consumer;

/** Puts load on one service and measures it. Runs follow one another on the same connections. */
public interface Generator extends AutoCloseable {

    /**
     * Runs one load to its end, then drains: sends what is due and awaits the answers still missing, for a time set with
     * the generator. Blocks; one run at a time.
     *
     * @param progress is told each second as it passes, on a thread of the generator's own; must not block
     * @return what was measured, also where every request failed
     * @throws InterruptedException if the calling thread is interrupted; the run is then abandoned
     */
    Measurement run(Load load, Consumer<SecondSample> progress) throws InterruptedException;

    /**
     * Ends the schedule of a run in progress now: nothing more is offered, and the service drains as at the schedule's own
     * end. {@link #run} returns what was measured until now. From any thread; never blocks.
     */
    void finish();

    /** Ends a run in progress early: {@link #run} returns what was measured so far. From any thread; never blocks. */
    void stop();

    /** Closes all connections and ends all threads. Waits for the threads, at most a second. Idempotent. */
    @Override
    void close();
}
