package dev.weir.lab.cli;

import dev.weir.lab.knee.Slo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The objective of the option {@code --slo}, which may be given several times. */
final class Objective {

    /** All bounds as one objective; null where none is given. */
    static @Nullable Slo of(List<String> bounds) {
        try {
            return bounds.isEmpty() ? null : Slo.parse(String.join(",", bounds));
        } catch (IllegalArgumentException e) {
            throw new UserException(ExitCode.USAGE, "--slo: " + e.getMessage(), e);
        }
    }

    private Objective() {}
}
