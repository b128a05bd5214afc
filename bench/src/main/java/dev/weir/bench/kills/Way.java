package dev.weir.bench.kills;

import java.util.Locale;

/** How events leave the service. */
enum Way {
    OUTBOX("outbox", "committed"),
    SPOOL("publisher with the spool", "told durable"),
    PLAIN("plain buffer that requeues", "taken");

    private final String label;
    private final String acknowledged;

    Way(String label, String acknowledged) {
        this.label = label;
        this.acknowledged = acknowledged;
    }

    String label() {
        return label;
    }

    /** What the service may rely on. */
    String acknowledged() {
        return acknowledged;
    }

    /** The file of a {@link Ledger}, in an instance's folder. */
    String file() {
        return word() + ".ledger";
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
