package dev.weir.lab.plan;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** Where the values of a name come from. The bounds of ranges are included and within +/- {@link #LARGEST}. */
sealed interface ValueSource {

    /** Up to 2^53 a whole number is the same in every JSON reader, and no length of a range overflows. */
    long LARGEST = 1L << 53;

    /**
     * Makes the values of one engine thread.
     *
     * @param random of that thread alone
     * @param thread the engine thread's index, from 0
     * @param threads how many there are
     */
    Value create(SplittableRandom random, int thread, int threads);

    /** Whether it can be written there. */
    default boolean fits(Value.Place place) {
        return true;
    }

    /** {@code from}, {@code from} + 1 and so on to {@code to}, then again from the start; shared by the threads. */
    record Sequence(long from, long to) implements ValueSource {
        @Override
        public Value create(SplittableRandom random, int thread, int threads) {
            return new NumberValue(strided(from, to, thread, threads));
        }
    }

    /** Every whole number of the range with the same probability. */
    record RandomRange(long from, long to) implements ValueSource {
        @Override
        public Value create(SplittableRandom random, int thread, int threads) {
            return new NumberValue(() -> random.nextLong(from, to + 1));
        }
    }

    /** {@code from} most often, the k-th after it with a probability proportional to 1 / (k + 1)^exponent. */
    record Zipf(long from, long to, double exponent) implements ValueSource {
        @Override
        public Value create(SplittableRandom random, int thread, int threads) {
            ZipfSampler sampler = new ZipfSampler(to - from + 1, exponent);
            return new NumberValue(() -> from - 1 + sampler.sample(random));
        }
    }

    /** The cells of a column. */
    record Column(List<String> cells, boolean random) implements ValueSource {
        public Column {
            cells = List.copyOf(cells);
        }

        @Override
        public Value create(SplittableRandom random, int thread, int threads) {
            LongSupplier row =
                    this.random ? () -> random.nextInt(cells.size()) : strided(0, cells.size() - 1L, thread, threads);
            return new TextValue(cells, row);
        }

        @Override
        public boolean fits(Value.Place place) {
            return place != Value.Place.HEADER
                    || cells.stream().noneMatch(cell -> cell.chars().anyMatch(Character::isISOControl));
        }
    }

    /** Random identifiers as RFC 9562, version 4, lays them out. */
    record Uuid() implements ValueSource {
        @Override
        public Value create(SplittableRandom random, int thread, int threads) {
            return new UuidValue(random);
        }
    }

    /** Thread t of n takes the numbers t, t + n, t + 2 n and so on of the range, from the start again at its end. */
    private static LongSupplier strided(long from, long to, int thread, int threads) {
        long items = to - from + 1;
        return new LongSupplier() {
            private long offset = thread % items;

            @Override
            public long getAsLong() {
                long number = from + offset;
                offset = (offset + threads) % items;
                return number;
            }
        };
    }
}
