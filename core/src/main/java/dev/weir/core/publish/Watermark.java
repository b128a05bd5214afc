package dev.weir.core.publish;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Up to which number everything has ended, where numbers begin in order and end in any. Any thread may call it. */
final class Watermark {
    private final Deque<Long> begun = new ArrayDeque<>();
    private final Set<Long> ended = new HashSet<>();
    private long through;

    Watermark(long through) {
        this.through = through;
    }

    synchronized void begin(long number) {
        begun.addLast(number);
    }

    synchronized void end(long number) {
        ended.add(number);
        while (!begun.isEmpty() && ended.remove(begun.getFirst())) {
            through = begun.removeFirst();
        }
    }

    synchronized long through() {
        return through;
    }

    synchronized int open() {
        return begun.size() - ended.size();
    }
}
