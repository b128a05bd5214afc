package dev.weir.bench.jmh;

/** How a bench that holds a figure against a goal says so, in words and to the shell. */
public final class Goals {

    /** The exit code of a bench that measured all it had to, and found a promise broken. */
    public static final int MISSED = 99;

    private Goals() {}

    /** What the sentence below a table ends with. */
    public static String word(boolean reached) {
        return reached ? "reached" : "missed";
    }

    /** Ends this process: with 0 where the promise held, with {@value #MISSED} where it did not. */
    public static void exit(boolean held) {
        System.exit(held ? 0 : MISSED);
    }
}
