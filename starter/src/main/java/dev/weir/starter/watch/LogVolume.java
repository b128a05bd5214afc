package dev.weir.starter.watch;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import dev.weir.core.watch.Budget;
import dev.weir.core.watch.CurrentBudget;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * Counts what requests log, by logger, in the thread that logs and before any appender queues it. Counted are the characters of messages and 80
 * a frame of stack traces, not what a layout puts around them.
 */
final class LogVolume extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {

    private static final int A_FRAME = 80;
    private static final int MOST_CAUSES = 20;

    private List<Logger> attached = List.of();

    /** Where the log goes through Logback, a volume that counts from now on; null elsewhere. */
    static @Nullable LogVolume attach() {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        return factory instanceof LoggerContext context ? new LogVolume().attachTo(context) : null;
    }

    private LogVolume attachTo(LoggerContext context) {
        setContext(context);
        setName("weir-watch");
        start();
        // A logger that is not additive hands nothing to the root.
        attached = context.getLoggerList().stream()
                .filter(logger -> logger.getName().equals(org.slf4j.Logger.ROOT_LOGGER_NAME) || !logger.isAdditive())
                .toList();
        attached.forEach(logger -> logger.addAppender(this));
        return this;
    }

    @Override
    protected void append(ILoggingEvent event) {
        Budget budget = CurrentBudget.get();
        if (budget != null) {
            budget.logged(
                    event.getLoggerName(), event.getFormattedMessage().length() + trace(event.getThrowableProxy()));
        }
    }

    private static long trace(@Nullable IThrowableProxy thrown) {
        long characters = 0;
        IThrowableProxy each = thrown;
        for (int i = 0; i < MOST_CAUSES && each != null; i++) {
            int frames = each.getStackTraceElementProxyArray().length - each.getCommonFrames();
            characters += (long) A_FRAME * Math.max(1, frames);
            each = each.getCause();
        }
        return characters;
    }

    @Override
    public void close() {
        attached.forEach(logger -> logger.detachAppender(this));
        stop();
    }
}
