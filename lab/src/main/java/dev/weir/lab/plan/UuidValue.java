package dev.weir.lab.plan;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.UUID;

/** Identifiers of RFC 9562, section 5.4, from a seeded source, so that a run can be repeated. */
final class UuidValue implements Value {
    private static final long VERSION_MASK = 0xf000L;
    private static final long VERSION_4 = 0x4000L;
    private static final long VARIANT_MASK = 0xc000_0000_0000_0000L;
    private static final long VARIANT_RFC = 0x8000_0000_0000_0000L;

    private final SplittableRandom random;
    private byte[] text = {};

    UuidValue(SplittableRandom random) {
        this.random = random;
    }

    @Override
    public void advance() {
        long high = (random.nextLong() & ~VERSION_MASK) | VERSION_4;
        long low = (random.nextLong() & ~VARIANT_MASK) | VARIANT_RFC;
        text = new UUID(high, low).toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void writeTo(ByteSink sink, Place place) {
        sink.put(text);
    }
}
