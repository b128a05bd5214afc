package dev.weir.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.route.ReplicaSet.State;
import dev.weir.core.route.ReplicaSet.Take;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories against a plain model that remembers everything: every position the primary ever had, every failure and
 * every sample. Where the model has no opinion within the stated error of an age, any answer will do.
 */
class ReplicaSetModelTest {

    private static final int REPLICAS = 3;
    private static final long MAX_LAG_BYTES = 500;
    private static final long MAX_AGE = 1_000_000;
    private static final long AGE_ERROR = 2 * MAX_AGE / 32;
    private static final ReplicaPolicy POLICY =
            new ReplicaPolicy(MAX_LAG_BYTES, Duration.ofNanos(MAX_AGE).plusMillis(9), 3, 2, Duration.ofNanos(MAX_AGE));
    private static final long MAX_AGE_NANOS = POLICY.maxLag().toNanos();

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void behavesAsTheModel(int seed) {
        new History(new SplittableRandom(seed)).run();
    }

    private record Position(long nanos, long lsn) {}

    /** What a replica did, as far as the model needs it. */
    private static final class Model {
        private boolean answered;
        private int failuresInARow;
        private int goodInARow;
        private boolean ejected;
        private long replayed;
    }

    private static final class History {
        private final SplittableRandom random;
        private final ReplicaSet set = new ReplicaSet(List.of("a", "b", "c"), List.of(1.0, 2.0, 0.5), POLICY);
        private final List<Model> models =
                IntStream.range(0, REPLICAS).mapToObj(i -> new Model()).toList();
        private final List<Position> primary = new ArrayList<>();
        private long now = 1;
        private long lsn = 1000;

        History(SplittableRandom random) {
            this.random = random;
        }

        void run() {
            for (int step = 0; step < 400; step++) {
                now += random.nextLong(MAX_AGE_NANOS / 8);
                switch (random.nextInt(6)) {
                    case 0, 1 -> primaryMoves();
                    case 2 -> fails(random.nextInt(REPLICAS));
                    default -> answers(random.nextInt(REPLICAS));
                }
                chooses();
            }
        }

        private void primaryMoves() {
            lsn += random.nextInt(3) == 0 ? 0 : random.nextLong(200);
            primary.add(new Position(now, lsn));
            set.primaryAt(lsn, now);
        }

        private void fails(int index) {
            Model model = models.get(index);
            model.goodInARow = 0;
            model.failuresInARow++;
            set.failed(index, now);
            if (model.failuresInARow >= POLICY.failures()) {
                model.ejected = true;
                assertThat(set.view(index).state()).isEqualTo(State.FAILED);
            }
        }

        private void answers(int index) {
            Model model = models.get(index);
            model.failuresInARow = 0;
            if (random.nextInt(20) == 0) {
                set.sampled(index, 0, false, now);
                model.ejected = true;
                model.answered = true;
                model.goodInARow = 0;
                assertThat(set.view(index).state()).isEqualTo(State.NOT_A_STANDBY);
                return;
            }
            model.replayed = Math.max(model.replayed, lsn - random.nextLong(random.nextBoolean() ? 100 : 900));
            set.sampled(index, model.replayed, true, now);
            judge(index, model);
        }

        private void judge(int index, Model model) {
            long seen = primary.isEmpty() ? 0 : primary.getLast().lsn();
            long lag = Math.max(0, seen - model.replayed);
            long age = age(model.replayed);
            boolean known =
                    !primary.isEmpty() && model.replayed >= primary.getFirst().lsn();
            boolean surelyTooFar = !known || lag > MAX_LAG_BYTES || age > MAX_AGE_NANOS;
            boolean surelyNear = known && lag <= MAX_LAG_BYTES && age + AGE_ERROR + MAX_AGE_NANOS / 8 <= MAX_AGE_NANOS;
            boolean surelyGood = known && lag <= MAX_LAG_BYTES / 2 && age + MAX_AGE_NANOS / 4 <= MAX_AGE_NANOS / 2;
            boolean serves = set.view(index).state().serves();
            if (surelyTooFar) {
                assertThat(serves)
                        .as("too far behind: %d bytes, %d ns", lag, age)
                        .isFalse();
            }
            if (surelyNear && !model.ejected) {
                assertThat(serves).as("near and never ejected").isTrue();
            }
            model.goodInARow = surelyGood ? model.goodInARow + 1 : 0;
            if (model.goodInARow >= POLICY.goodSamples()) {
                assertThat(serves).as("good again").isTrue();
            }
            model.answered = true;
            model.ejected = !serves;
        }

        /** Age of a state: since the last moment at which the primary was seen there or before. */
        private long age(long replayed) {
            if (primary.isEmpty() || replayed >= primary.getLast().lsn()) {
                return 0;
            }
            long reached = primary.getFirst().nanos();
            for (Position position : primary) {
                if (position.lsn() <= replayed) {
                    reached = position.nanos();
                }
            }
            return primary.getLast().nanos() - reached;
        }

        private void chooses() {
            long needed = random.nextBoolean() ? 0 : lsn - random.nextLong(1000);
            int excluded = random.nextInt(1 << REPLICAS);
            if (set.choose(needed, excluded, now, random::nextInt) instanceof Take take) {
                Model model = models.get(take.index());
                assertThat(excluded & 1 << take.index()).isZero();
                assertThat(model.answered).isTrue();
                assertThat(model.ejected).isFalse();
                assertThat(model.replayed).isGreaterThanOrEqualTo(needed);
            }
        }
    }
}
