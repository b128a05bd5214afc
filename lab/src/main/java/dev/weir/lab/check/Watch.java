package dev.weir.lab.check;

import dev.weir.lab.collect.ServiceSample;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a check needs of the watch over the service's processes. */
interface Watch extends AutoCloseable {

    /** Begins a window. */
    void begin();

    /** Ends it; null where nothing is watched. */
    @Nullable
    ServiceSample end();

    /** The processes; null where none was found. */
    CheckResult.@Nullable Service service();

    /** What cannot be seen, each as a sentence. */
    List<String> missing();

    @Override
    void close();

    /** Watches nothing, for a reason. */
    static Watch blind(String reason) {
        return new Watch() {
            @Override
            public void begin() {}

            @Override
            public @Nullable ServiceSample end() {
                return null;
            }

            @Override
            public CheckResult.@Nullable Service service() {
                return null;
            }

            @Override
            public List<String> missing() {
                return List.of(reason);
            }

            @Override
            public void close() {}
        };
    }
}
