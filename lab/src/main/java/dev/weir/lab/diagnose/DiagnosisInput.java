package dev.weir.lab.diagnose;

import dev.weir.lab.host.Machine;
import dev.weir.lab.knee.Capacity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a diagnosis rests on.
 *
 * @param light the step that passed with the least latency, which shows what a request takes without a queue; null where
 *     none passed
 * @param below the highest step that passed; null where none did
 * @param at the lowest step that did not pass, else the highest that did
 * @param calibratedPerSecond what the generator reached on its own null server
 * @param missing what could not be seen in the whole check, each as a sentence: no process found, no JVM attached
 */
public record DiagnosisInput(
        Capacity capacity,
        @Nullable StepFigures light,
        @Nullable StepFigures below,
        StepFigures at,
        double calibratedPerSecond,
        Machine machine,
        List<String> missing) {

    public DiagnosisInput {
        missing = List.copyOf(missing);
    }

    /** The input of a check whose highest passed step is also the lightest that was watched. */
    public DiagnosisInput(
            Capacity capacity,
            @Nullable StepFigures below,
            StepFigures at,
            double calibratedPerSecond,
            Machine machine,
            List<String> missing) {
        this(capacity, below, below, at, calibratedPerSecond, machine, missing);
    }
}
