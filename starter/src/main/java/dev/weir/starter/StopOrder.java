package dev.weir.starter;

import org.springframework.context.SmartLifecycle;

/**
 * In which order features end, as phases of Spring's lifecycle: all after the web server, which stops at 2,048 below the default, and each
 * before what it may still use. They start in the opposite order.
 */
public final class StopOrder {

    /** Handlers of deferred work may offer best effort and publish. */
    public static final int RELAYS = SmartLifecycle.DEFAULT_PHASE - 3072;

    /** Tasks may publish. */
    public static final int BEST_EFFORT = SmartLifecycle.DEFAULT_PHASE - 3584;

    /** Need nobody else. */
    public static final int PUBLISHERS = SmartLifecycle.DEFAULT_PHASE - 4096;

    private StopOrder() {}
}
