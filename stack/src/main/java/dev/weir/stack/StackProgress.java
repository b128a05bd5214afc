package dev.weir.stack;

/** Hears what a stack does while it starts, one short sentence a step, on the thread that called {@link Stack#start}. */
@FunctionalInterface
public interface StackProgress {
    /** Called before a step that may take a while, and for every leftover that was cleared. */
    void step(String sentence);

    /** Tells nobody. */
    static StackProgress silent() {
        return sentence -> {};
    }
}
