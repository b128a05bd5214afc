package dev.weir.lab.diagnose;

import dev.weir.lab.diagnose.Verdict.Evidence;
import java.util.List;

/** What one rule makes of the input. */
sealed interface Finding {

    /** How much a rule's finding weighs against another's. */
    enum Weight {
        /** The mechanism was seen at work and its figures fit. */
        DIRECT,
        /** The figures fit, but another cause could leave the same ones. */
        CIRCUMSTANTIAL
    }

    /** The rule's cause is there. */
    record Found(Weight weight, Verdict verdict) implements Finding {}

    /**
     * The rule's cause is not there.
     *
     * @param why a clause with figures, as it can stand in a list
     */
    record RuledOut(String why, List<Evidence> evidence) implements Finding {
        public RuledOut {
            evidence = List.copyOf(evidence);
        }
    }

    /**
     * The rule cannot tell.
     *
     * @param missing a sentence: what would have to be seen, and how
     */
    record NotEnoughData(String missing) implements Finding {}
}
