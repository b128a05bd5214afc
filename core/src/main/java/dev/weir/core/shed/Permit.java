package dev.weir.core.shed;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A place among the requests in flight. Must be closed on every path, from any thread; only the first close counts, so a
 * normal end, an error, a timeout and a lost client may all close the same permit.
 */
public final class Permit implements Outcome, AutoCloseable {

    private static final long CLOSED = -1;
    private static final VarHandle TOKEN;

    static {
        try {
            TOKEN = MethodHandles.lookup().findVarHandle(Permit.class, "token", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Admission admission;
    private volatile long token;

    Permit(Admission admission, long token) {
        this.admission = admission;
        this.token = token;
    }

    /** Gives the place back; without effect when it was given back before. */
    public void close(Completion completion) {
        long held = (long) TOKEN.getAndSet(this, CLOSED);
        if (held != CLOSED) {
            admission.leave(held, completion);
        }
    }

    /** Gives the place back as {@link Completion#SUCCESS}. */
    @Override
    public void close() {
        close(Completion.SUCCESS);
    }

    /** Whether it was given back. */
    public boolean closed() {
        return token == CLOSED;
    }
}
