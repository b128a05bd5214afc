package dev.weir.lab.cli;

import dev.weir.lab.amount.Amounts;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link Amounts} as values of options. */
final class Amount {

    /** Times such as {@code 30s}, {@code 2m}, {@code 500ms}; a bare number is in seconds. Above 0, at most 30 days. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return converted(Amounts::time, text);
        }
    }

    /** Requests per second such as {@code 1000}, {@code 1k}, {@code 1.5k/s}. Above 0, at most 10 million. */
    static final class Rate implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return converted(Amounts::ratePerSecond, text);
        }
    }

    /** Whole numbers such as {@code 100}, {@code 1k} or {@code 1M}. 1 or more, at most 10^12. */
    static final class Count implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return converted(Amounts::count, text);
        }
    }

    /** Sizes such as {@code 65536}, {@code 64k}, {@code 1M} or {@code 1g}, by powers of 1,024. */
    static final class Bytes implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return converted(Amounts::bytes, text);
        }
    }

    private static <T> T converted(Function<String, T> reading, String text) {
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private Amount() {}
}
