package dev.weir.core.outbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What follows from the outcomes of a batch.
 *
 * @param arrived rows to remove
 * @param retried events to try again after a pause
 * @param parked events to set aside
 * @param postponed how many stay as they are
 */
record Verdict(List<Long> arrived, List<Failure> retried, List<Failure> parked, int postponed) {

    /**
     * An event and why it failed.
     *
     * @param reason at most 2,000 characters, without those that PostgreSQL refuses: a verdict that cannot be written is reached again for ever
     */
    record Failure(StoredEvent event, String reason) {
        private static final int MOST_CHARS = 2_000;

        Failure {
            reason = storable(reason.length() <= MOST_CHARS ? reason : reason.substring(0, MOST_CHARS));
        }

        private static String storable(String text) {
            StringBuilder kept = new StringBuilder(text.length());
            text.codePoints()
                    .map(each -> each == 0 || Character.getType(each) == Character.SURROGATE ? '?' : each)
                    .forEach(kept::appendCodePoint);
            return kept.toString();
        }
    }

    /**
     * An event that failed is tried again, up to its attempts. Where a later one of its key has arrived all the same, another attempt
     * would reverse their order, so it is parked at once.
     */
    static Verdict of(List<StoredEvent> events, List<Outcome> outcomes, int attempts) {
        Verdict verdict = new Verdict(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), 0);
        Set<Integer> arrivedLater = new HashSet<>();
        int postponed = 0;
        for (int i = events.size() - 1; i >= 0; i--) {
            StoredEvent event = events.get(i);
            switch (outcomes.get(i)) {
                case Outcome.Delivered delivered -> {
                    arrivedLater.add(event.keyHash());
                    verdict.arrived.add(event.row());
                }
                case Outcome.Failed(String reason) -> verdict.fail(event, reason, attempts, arrivedLater);
                case Outcome.Refused(String reason) -> verdict.parked.add(new Failure(event, reason));
                case Outcome.Postponed ignored -> postponed++;
            }
        }
        return new Verdict(verdict.arrived, verdict.retried, verdict.parked, postponed);
    }

    private void fail(StoredEvent event, String reason, int attempts, Set<Integer> arrivedLater) {
        boolean keyed = event.event().key() != null;
        if (keyed && arrivedLater.contains(event.keyHash())) {
            parked.add(new Failure(event, reason + " (not tried again: a later event of its key has arrived)"));
        } else if (event.attempts() + 1 >= attempts) {
            parked.add(new Failure(event, reason));
        } else {
            retried.add(new Failure(event, reason));
        }
    }
}
