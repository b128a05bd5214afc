package dev.weir.starter.route;

import java.util.concurrent.atomic.LongAdder;

/** What became of session tokens. */
final class TokenCounters {

    final LongAdder valid = new LongAdder();
    final LongAdder expired = new LongAdder();
    final LongAdder invalid = new LongAdder();
    final LongAdder issued = new LongAdder();

    /** Tokens that the carrier could not read or write. */
    final LongAdder failed = new LongAdder();

    /** Writes committed after the response was; the client could not be told. */
    final LongAdder late = new LongAdder();
}
