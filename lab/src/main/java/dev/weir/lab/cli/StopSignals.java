package dev.weir.lab.cli;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * While open, the first SIGINT or SIGTERM runs an action instead of ending the process; the second ends it as usual.
 *
 * <p>A shutdown hook would not do: once the JVM shuts down, a second signal waits for the hooks instead of ending them,
 * and the command could not choose its exit code. {@code sun.misc.Signal} is the supported way (JEP 260 keeps it), but
 * compilers warn of it by name without a way to say that it is meant, hence the reflection.
 */
final class StopSignals implements AutoCloseable {
    private static final List<String> NAMES = List.of("INT", "TERM");

    private final Map<Object, Object> previous = new LinkedHashMap<>();
    private final AtomicBoolean received = new AtomicBoolean();
    private final Runnable action;

    private StopSignals(Runnable action) {
        this.action = action;
    }

    /**
     * Takes the signals over. Where that is not possible, as with a signal the caller ignores (nohup), it stays as it is.
     *
     * @param action is run once at most, on a thread of the JVM's; must not block
     */
    static StopSignals handle(Runnable action) {
        StopSignals signals = new StopSignals(action);
        NAMES.forEach(signals::take);
        return signals;
    }

    /** Whether a signal arrived. */
    boolean received() {
        return received.get();
    }

    private void take(String name) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Object signal = type.getConstructor(String.class).newInstance(name);
            previous.put(signal, handle(signal, handler(type)));
        } catch (ReflectiveOperationException e) {
            // A JVM without it, or a signal that is ignored: the default remains.
        }
    }

    private Object handler(Class<?> signalType) throws ReflectiveOperationException {
        Runnable onSignal = this::first;
        MethodHandle first = MethodHandles.publicLookup()
                .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                .bindTo(onSignal);
        return MethodHandleProxies.asInterfaceInstance(
                Class.forName("sun.misc.SignalHandler"), MethodHandles.dropArguments(first, 0, signalType));
    }

    private void first() {
        close();
        if (!received.getAndSet(true)) {
            action.run();
        }
    }

    private static Object handle(Object signal, Object handler) throws ReflectiveOperationException {
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        return signal.getClass()
                .getMethod("handle", signal.getClass(), handlerType)
                .invoke(null, signal, handler);
    }

    /** Gives the signals back. Idempotent. */
    @Override
    public synchronized void close() {
        previous.forEach((signal, handler) -> {
            try {
                handle(signal, handler);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("the handler of " + signal + " cannot be put back", e);
            }
        });
        previous.clear();
    }
}
