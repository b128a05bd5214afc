package dev.weir.starter.route;

import java.time.Duration;

/**
 * What routing means for whoever keeps what it read.
 *
 * @param longest how old a state a read on a replica may show, at most; zero where no replica is read
 */
public record ReplicaStaleness(Duration longest) {}
