package dev.weir.lab.compare;

import dev.weir.lab.engine.Generator;

/** Makes the generator of one run. */
@FunctionalInterface
public interface Generators {

    /**
     * A generator for a service that is ready. The caller closes it.
     *
     * @param url the service, its port filled in
     */
    Generator open(String url);
}
