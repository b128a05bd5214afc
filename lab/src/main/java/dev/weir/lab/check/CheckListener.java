package dev.weir.lab.check;

import dev.weir.lab.measure.SecondSample;

/** Is told how a check goes. Must not block. */
public interface CheckListener {

    /** Something began, ended or was found: one line for the user. On the thread that runs the check. */
    void says(String line);

    /** A second of load passed. On a thread of the generator's. */
    void second(SecondSample second);

    /** Tells nobody. */
    static CheckListener silent() {
        return new CheckListener() {
            @Override
            public void says(String line) {}

            @Override
            public void second(SecondSample second) {}
        };
    }
}
