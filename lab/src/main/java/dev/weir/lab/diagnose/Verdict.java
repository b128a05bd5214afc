package dev.weir.lab.diagnose;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What stops the service, in one sentence with its figures, and the one change to make.
 *
 * @param cause what it is
 * @param sentence one sentence with its figures
 * @param evidence what it rests on, strongest first
 * @param change the one change to make; null where there is none to make in the service
 * @param missing what would have to be seen to say more, each as a sentence; empty where nothing is
 */
public record Verdict(
        Cause cause,
        String sentence,
        List<Evidence> evidence,
        @Nullable Change change,
        List<String> missing) {

    /** The causes Weir can name. */
    public enum Cause {
        /** All request-serving threads are busy while the CPU idles. */
        WORKER_THREADS,
        /** The machine's CPUs are used up by the service. */
        CPU,
        /** The load generator, or what else runs on its machine, was the limit. */
        GENERATOR,
        /** No limit was found up to the highest rate tried. */
        NONE,
        /** The evidence does not name one. */
        UNKNOWN;

        /** The word used in text and JSON output, for example {@code worker-threads}. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** One fact: what was looked at, the figure with its unit, and where it comes from. */
    public record Evidence(String what, String value, String source) {}

    /**
     * The one change to make.
     *
     * @param setting the property, flag or place to change
     * @param from its value now; null where unknown
     * @param to the value to give it; what to do, in words, where the setting is a place in words and has no value now
     * @param why the arithmetic behind the value, with its inputs
     * @param expectedPerSecond capacity expected after it; null where no honest prediction is possible
     */
    public record Change(
            String setting,
            @Nullable String from,
            String to,
            String why,
            @Nullable Double expectedPerSecond) {

        /** Whether the setting is a property or flag, which can be set as it stands, and not a place in words. */
        public boolean setsProperty() {
            return !setting.contains(" ");
        }

        /** What to change, for example {@code server.tomcat.threads.max from 200 to 400}. */
        public String inWords() {
            if (from != null) {
                return setting + " from " + from + " to " + to;
            }
            return setsProperty() ? setting + " to " + to : to;
        }
    }

    public Verdict {
        evidence = List.copyOf(evidence);
        missing = List.copyOf(missing);
    }
}
