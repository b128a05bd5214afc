package dev.weir.core.express;

/**
 * A limiter's say in the port lane. A request that is not admitted is not refused here: it goes Tomcat's normal way, where
 * the limiter stands in front of the application and decides with everything it knows. Both methods are called by the
 * poller thread: they must not block or throw.
 */
public interface Admission {

    /** Whether the request may be answered at once; where true, {@link #done} follows. */
    boolean admit(ExpressRoute<?, ?> route);

    /** The admitted request was answered, or its connection failed. */
    void done(long tookNanos);

    /** Admits everything. */
    static Admission open() {
        return OpenAdmission.INSTANCE;
    }
}
