package dev.weir.starter.outbox;

import dev.weir.core.outbox.StoredEvent;
import dev.weir.core.outbox.Target;
import java.util.List;

/** A target that is a bean: the end of a relay does not close it, since the next start needs it again; the container does at its end. */
record BorrowedTarget(Target bean) implements Target {

    @Override
    public Batch begin(List<StoredEvent> events) {
        return bean.begin(events);
    }

    @Override
    public void close() {}
}
