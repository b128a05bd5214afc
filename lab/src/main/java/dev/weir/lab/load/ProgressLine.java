package dev.weir.lab.load;

import dev.weir.lab.measure.SecondSample;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Tells how a run goes: one line that renews itself on a terminal, else a plain line every few seconds. Called on the
 * generator's thread, second by second.
 */
public final class ProgressLine implements Consumer<SecondSample> {
    private static final int PLAIN_EVERY_SECONDS = 5;
    private static final String RENEW = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean terminal;
    private long completed;
    private long failed;
    private int seconds;
    private boolean open;

    /**
     * Makes one.
     *
     * @param terminal whether what is written can be renewed
     */
    public ProgressLine(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    @Override
    public synchronized void accept(SecondSample second) {
        completed += second.completed();
        failed += second.failed();
        seconds++;
        if (terminal) {
            out.print(RENEW + line(second, (double) second.completed()));
            out.flush();
            open = true;
        } else if (seconds == PLAIN_EVERY_SECONDS) {
            out.println(line(second, (double) completed / seconds));
            completed = 0;
            seconds = 0;
        }
    }

    private String line(SecondSample second, double perSecond) {
        return String.format(
                Locale.ROOT,
                "%4d s  %9s/s  p99 %8s  in flight %6s  errors %s",
                second.second() + 1,
                Words.rate(perSecond),
                Words.time(second.p99Nanos() / 1e6),
                Words.rate(second.meanInFlight()),
                Words.count(failed));
    }

    /** Removes the line that renews itself, so that what follows begins on a clean one. */
    public synchronized void end() {
        if (open) {
            out.print(RENEW);
            out.flush();
            open = false;
        }
    }
}
