package dev.weir.store.messages;

/** The provider's receipt: accepted, not yet delivered. */
record Sent(String id, String status) {}
