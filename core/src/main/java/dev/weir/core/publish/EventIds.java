package dev.weir.core.publish;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Ids for events: 60 random bits of this process and a counter, as a UUID of version 8. A random UUID each would cost about as much
 * as sending the event. Any thread may call it.
 */
final class EventIds implements Supplier<UUID> {
    private static final long VERSION_8 = 0x8000L;
    private static final long VERSION_MASK = 0xF000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final long process;
    private final AtomicLong counter = new AtomicLong();

    EventIds(long randomBits) {
        process = (randomBits & ~VERSION_MASK) | VERSION_8;
    }

    @Override
    public UUID get() {
        return new UUID(process, VARIANT | counter.getAndIncrement());
    }
}
