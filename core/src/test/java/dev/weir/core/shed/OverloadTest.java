package dev.weir.core.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.shed.OpenLoop.Clients;
import dev.weir.core.shed.OpenLoop.Figures;
import dev.weir.core.shed.OpenLoop.Phase;
import dev.weir.core.shed.OpenLoop.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of the mission, in simulated time: an open loop, half of it low priority, callers that wait for a place. */
class OverloadTest {

    private static final Service FEW = new Service(2, 0.005, 0.5);
    private static final Service SOME = new Service(8, 0.010, 1);
    private static final Service MANY = new Service(100, 0.050, 0.7);
    private static final List<Service> SERVICES = List.of(FEW, SOME, MANY);
    private static final double PATIENCE = 1;

    private static OpenLoop loop(Service service, Clients clients, long seed) {
        return new OpenLoop(service, clients, PATIENCE, seed);
    }

    private static OpenLoop.Weir weir(OpenLoop loop) {
        var weir = new OpenLoop.Weir(loop, ShedConfig.defaults(), true, 3);
        loop.gate(weir);
        return weir;
    }

    static Stream<Arguments> loads() {
        return SERVICES.stream()
                .flatMap(service -> Stream.of(
                        Arguments.of(service, 0.5, 0.48),
                        Arguments.of(service, 1.0, 0.8),
                        Arguments.of(service, 1.4, 0.88),
                        Arguments.of(service, 2.0, 0.9),
                        Arguments.of(service, 5.0, 0.9)));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void goodputStaysAndWhatIsAdmittedStaysFastAndItRecovers(Service service, double load, double leastGoodput) {
        double p99AtEighty = OpenLoop.unlimited(service, 0.8, 60, 1).latency(0.99);
        var loop = loop(service, Clients.GIVE_UP, 7);
        weir(loop);
        loop.run(Phase.of(20, 0.5));
        Figures over = loop.run(new Phase(30, load, 1, 5));
        assertThat(over.goodput()).as(over.toString()).isGreaterThan(leastGoodput);
        if (load >= 1.4) {
            assertThat(over.latency(0.99)).as(over.toString()).isLessThan(2.2 * p99AtEighty);
        }
        Figures after = loop.run(new Phase(8, 0.5, 1, 2));
        assertThat(after.refused(Priority.NORMAL)).as(after.toString()).isZero();
        assertThat(after.refusedShare(Priority.LOW)).as(after.toString()).isLessThan(0.02);
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void at1Point4OfTheCapacityNoHighRequestIsRefused(Service service) {
        var loop = loop(service, Clients.GIVE_UP, 8);
        weir(loop);
        loop.run(Phase.of(20, 0.5));
        Figures over = loop.run(new Phase(60, 1.4, 1, 5));
        assertThat(over.refused(Priority.NORMAL)).as(over.toString()).isZero();
        assertThat(over.refusedShare(Priority.LOW)).isBetween(0.4, 0.75);
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void at1PercentOfTheCapacityNobodyIsRefused(Service service) {
        var loop = loop(service, Clients.GIVE_UP, 9);
        OpenLoop.Weir weir = weir(loop);
        loop.run(Phase.of(20, 1.4));
        loop.run(Phase.of(3, 0.01));
        Figures quiet = loop.run(Phase.of(600, 0.01));
        assertThat(quiet.refused(Priority.NORMAL) + quiet.refused(Priority.LOW)).isZero();
        assertThat(weir.admission().stage()).isEqualTo(Stage.NORMAL);
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void theLimitDoesNotDriftInHalfAnHourOfOverload(Service service) {
        var loop = loop(service, Clients.GIVE_UP, 11);
        OpenLoop.Weir weir = weir(loop);
        List<Integer> limits = new ArrayList<>();
        loop.run(Phase.of(20, 0.5));
        loop.everySecond(() -> limits.add(weir.admission().limit()));
        Figures over = loop.run(Phase.of(1_800, 1.3));
        int[] settled = limits.subList(120, limits.size()).stream()
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        int median = settled[settled.length / 2];
        assertThat(settled[0]).as("lowest, median %d", median).isGreaterThanOrEqualTo(Math.min(median - 2, (int)
                Math.floor(median * 0.8)));
        assertThat(settled[settled.length - 1])
                .as("highest, median %d", median)
                .isLessThanOrEqualTo(Math.max(median + 2, (int) Math.ceil(median * 1.2)));
        assertThat(over.goodput()).as(over.toString()).isGreaterThan(0.88);
    }

    @Test
    void withoutALimiterTheSameOverloadServesNobodyInTime() {
        Figures over = loop(SOME, Clients.GIVE_UP, 7).run(new Phase(60, 1.4, 1, 20));
        assertThat(over.goodput()).isLessThan(0.2);
    }

    @Test
    void aDependencyThatSlowsDownWithoutALimitOfItsOwnRefusesFew() {
        var loop = loop(new Service(10_000, 0.020, 0.5), Clients.GIVE_UP, 7);
        weir(loop);
        loop.run(Phase.of(20, 0.002));
        Figures slow = loop.run(new Phase(60, 0.002, 5, 20));
        assertThat(slow.refusedShare(Priority.NORMAL)).as(slow.toString()).isLessThan(0.02);
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void clientsThatHonourRetryAfterDoNotComeBackAsAHerd(Service service) {
        var loop = loop(service, Clients.HONOUR_RETRY_AFTER, 12);
        weir(loop);
        loop.run(Phase.of(20, 0.5));
        loop.run(Phase.of(3, 3));
        int[] arrivals = new int[200];
        long from = loop.nanoTime();
        loop.onArrival(at -> arrivals[(int) Math.min(199, (at - from) / 200_000_000)]++);
        Figures after = loop.run(new Phase(40, 0.5, 1, 0));
        double capacity = service.capacity() * 0.2;
        for (int i = 5; i < arrivals.length; i++) {
            assertThat(arrivals[i]).as("bucket %d of %s", i, after).isLessThan((int) (2.5 * capacity + 40));
        }
        Figures calm = loop.run(new Phase(10, 0.5, 1, 0));
        assertThat(calm.refused(Priority.NORMAL)).isZero();
    }

    @Test
    void clientsThatRetryAtOnceDoNotBringItDown() {
        var loop = loop(SOME, Clients.RETRY_AT_ONCE, 13);
        weir(loop);
        loop.run(Phase.of(20, 0.5));
        Figures storm = loop.run(new Phase(20, 1.2, 1, 5));
        assertThat(storm.goodput()).as(storm.toString()).isGreaterThan(0.5);
        assertThat(storm.refusedShare(Priority.NORMAL)).as(storm.toString()).isLessThan(0.2);
    }
}
