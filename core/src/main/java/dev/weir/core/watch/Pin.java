package dev.weir.core.watch;

import java.time.Duration;
import java.util.List;

/**
 * One time that a virtual thread blocked and kept its carrier.
 *
 * @param duration how long the carrier was kept
 * @param reason what the JVM says pinned it, such as "Native or VM frame on stack"; empty before JDK 24
 * @param stack the frames, the blocking one first, as {@code class.method:line}; may be empty
 */
public record Pin(Duration duration, String reason, List<String> stack) {

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    public Pin {
        stack = List.copyOf(stack);
    }

    /** Where it blocked: the first frame outside the JDK, or the first one where all belong to it. */
    public String site() {
        return stack.stream()
                .filter(frame -> JDK.stream().noneMatch(frame::startsWith))
                .findFirst()
                .orElse(stack.isEmpty() ? "unknown" : stack.getFirst());
    }
}
