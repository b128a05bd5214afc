package dev.weir.store.messages;

/** The answer of the two endpoints that only wait. */
record Waited(String status, long delayMillis) {}
