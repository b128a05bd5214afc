package dev.weir.core.publish;

import java.util.concurrent.atomic.LongAdder;

/** What one publisher has counted since it was made. */
final class PublisherCounters {
    final LongAdder accepted = new LongAdder();
    final LongAdder acknowledged = new LongAdder();
    final LongAdder refusedFull = new LongAdder();
    final LongAdder refusedOversized = new LongAdder();
    final LongAdder refusedUnserialisable = new LongAdder();
    final LongAdder refusedTopic = new LongAdder();
    final LongAdder refusedClosed = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder givenUp = new LongAdder();
    final LongAdder left = new LongAdder();
    final LongAdder resent = new LongAdder();
    final LongAdder breaks = new LongAdder();
    final LongAdder batches = new LongAdder();

    void count(Publication.Refused refused) {
        switch (refused) {
            case Publication.BufferFull full -> refusedFull.increment();
            case Publication.Oversized oversized -> refusedOversized.increment();
            case Publication.Unserialisable bad -> refusedUnserialisable.increment();
            case Publication.TopicRefused topic -> refusedTopic.increment();
            case Publication.Closed closed -> refusedClosed.increment();
        }
    }
}
