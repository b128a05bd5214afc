package dev.weir.lab.plan;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Chooses among requests at random, each as often as its weight says. */
final class MixedSource implements RequestSource {
    private final List<EncodedRequest> requests;
    private final double[] weightsUpTo;
    private final SplittableRandom random;
    private EncodedRequest chosen;

    MixedSource(List<EncodedRequest> requests, double[] weights, SplittableRandom random) {
        this.requests = List.copyOf(requests);
        this.weightsUpTo = weights.clone();
        Arrays.parallelPrefix(weightsUpTo, Double::sum);
        this.random = random;
        this.chosen = requests.getFirst();
    }

    @Override
    public ByteBuffer next() {
        chosen = requests.size() == 1 ? chosen : requests.get(indexOf(random.nextDouble()));
        return chosen.next();
    }

    private int indexOf(double share) {
        int last = weightsUpTo.length - 1;
        double point = share * weightsUpTo[last];
        int found = Arrays.binarySearch(weightsUpTo, point);
        // A point on a boundary belongs to the request after it, since the range of each is closed below.
        return Math.min(last, found >= 0 ? found + 1 : -found - 1);
    }

    @Override
    public boolean isHead() {
        return chosen.isHead();
    }
}
