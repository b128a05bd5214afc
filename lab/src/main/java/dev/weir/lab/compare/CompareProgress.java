package dev.weir.lab.compare;

/** Is told how a comparison goes on. Called by the comparing thread; must not block. */
@FunctionalInterface
public interface CompareProgress {

    /** What happens now, as one line without an end. */
    void tell(String line);
}
