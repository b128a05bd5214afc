package dev.weir.lab.compare;

import java.util.ArrayList;
import java.util.List;

/** The order of the runs: A A for the floor, then A B B A as often as asked. */
final class Schedule {

    /** The order for {@code rounds} times A B B A, 1 or more. */
    static List<Side> of(int rounds) {
        List<Side> order = new ArrayList<>(List.of(Side.A, Side.A));
        for (int i = 0; i < rounds; i++) {
            order.addAll(List.of(Side.A, Side.B, Side.B, Side.A));
        }
        return List.copyOf(order);
    }

    private Schedule() {}
}
