package dev.weir.core.express;

/** Why the port lane left a request to Tomcat's normal way. */
public enum PassedOn {
    /** Not all of it had arrived. */
    INCOMPLETE,
    /** More bytes followed it. */
    PIPELINED,
    /** Not a GET or HEAD of HTTP/1.1. */
    METHOD_OR_VERSION,
    /** A query, an escape, a dot segment, or a path that is not plain. */
    TARGET,
    /** Not the path of a route. */
    NO_ROUTE,
    /** A header, or a value, that is not known to leave the answer alone. */
    HEADER,
    /** No entry in memory, or not yet encoded for what the request accepts. */
    NOT_READY,
    /** The answer does not fit the poller's buffer. */
    TOO_LARGE,
    /** The connection has had its number of requests. */
    LAST_OF_CONNECTION,
    /** A limiter wants to decide with the request in its hands. */
    ADMISSION
}
