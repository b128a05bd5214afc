package dev.weir.core.express;

/** Where an express answer was given. */
public enum Lane {
    /** By Tomcat's poller thread. */
    PORT,
    /** By the servlet filter. */
    FILTER
}
