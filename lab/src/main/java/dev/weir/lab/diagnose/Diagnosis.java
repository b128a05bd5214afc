package dev.weir.lab.diagnose;

import dev.weir.lab.diagnose.Verdict.Cause;
import java.util.List;

/** Names what stops a service. Pure: the same input gives the same verdict. */
public final class Diagnosis {
    private Diagnosis() {}

    /** The verdict on one check. */
    public static Verdict of(DiagnosisInput input) {
        return new Verdict(Cause.UNKNOWN, "What was seen does not name a cause.", List.of(), null, input.missing());
    }
}
