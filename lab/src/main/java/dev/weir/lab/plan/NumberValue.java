package dev.weir.lab.plan;

import java.util.function.LongSupplier;

/** Whole numbers, written as decimals. */
final class NumberValue implements Value {
    private final LongSupplier numbers;
    private long number;

    NumberValue(LongSupplier numbers) {
        this.numbers = numbers;
    }

    @Override
    public void advance() {
        number = numbers.getAsLong();
    }

    @Override
    public void writeTo(ByteSink sink, Place place) {
        sink.putDecimal(number);
    }
}
