package dev.weir.core.shed;

import dev.weir.core.time.NanoClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongConsumer;

/**
 * An open-loop service in simulated time: Poisson arrivals, a gate, and behind it M/G/n with one queue. Everything follows from the
 * seed. Latencies run from arrival to end, waiting at the gate included; what comes after the clients' patience is no goodput.
 */
public final class OpenLoop implements NanoClock {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int USERS = 10_000;

    /** What stands before the service. */
    public interface Gate {

        /** Decides now or later, exactly once for each request. */
        void arrive(Arrival arrival);

        /** A request that was admitted has ended. */
        void ended(Arrival arrival);
    }

    /**
     * The service.
     *
     * @param servers how many requests it serves at once
     * @param meanSeconds mean service time
     * @param sigma of the logarithm of the service time; 0 for always the mean
     */
    public record Service(int servers, double meanSeconds, double sigma) {

        public double capacity() {
            return servers / meanSeconds;
        }

        double draw(Random random, double slowness) {
            double mean = meanSeconds * slowness;
            return sigma == 0 ? mean : mean * Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
        }
    }

    /**
     * A time of constant load.
     *
     * @param load share of the capacity that is asked for
     * @param slowness what service times are multiplied with
     * @param skipSeconds of its begin that its figures leave out
     */
    public record Phase(double seconds, double load, double slowness, double skipSeconds) {

        public static Phase of(double seconds, double load) {
            return new Phase(seconds, load, 1, seconds / 4);
        }
    }

    /** What clients do when they are refused. */
    public enum Clients {
        GIVE_UP,
        HONOUR_RETRY_AFTER,
        /** After 50 to 150 ms of their own. */
        RETRY_AT_ONCE,
        /** All after one second, whatever they are told. */
        RETRY_AFTER_A_SECOND
    }

    /** One request. */
    public final class Arrival implements Comparable<Arrival> {

        private final long arrivedNanos;
        private final Priority priority;
        private final long user;
        private final Phase phase;
        private final Figures figures;
        private long eventNanos;
        private Runnable event = () -> {};
        /** The gate's own. */
        public Object ticket = "none";

        Arrival(Priority priority, long user, Phase phase, Figures figures) {
            this.arrivedNanos = now;
            this.priority = priority;
            this.user = user;
            this.phase = phase;
            this.figures = figures;
        }

        public Priority priority() {
            return priority;
        }

        public long key() {
            return Mix.mix(user);
        }

        /** The gate let it in. */
        public void admitted() {
            start(this);
        }

        /** The gate refused it. */
        public void refused(double retryAfterSeconds) {
            figures.refused[priority.index()]++;
            again(this, retryAfterSeconds);
        }

        void at(long nanos, Runnable what) {
            eventNanos = nanos;
            event = what;
            events.add(this);
        }

        @Override
        public int compareTo(Arrival other) {
            return Long.compare(eventNanos, other.eventNanos);
        }
    }

    /** What a phase measured. */
    public final class Figures {

        private final Phase phase;
        private final long fromNanos;
        final long[] arrived = new long[Priority.COUNT];
        final long[] refused = new long[Priority.COUNT];
        private final List<Double> latencies = new ArrayList<>();
        private long good;

        Figures(Phase phase, long fromNanos) {
            this.phase = phase;
            this.fromNanos = fromNanos;
        }

        /** Answers in time over the capacity. */
        public double goodput() {
            double seconds = phase.seconds() - phase.skipSeconds();
            return good / seconds / (service.capacity() / phase.slowness());
        }

        /** Latency in seconds that the share of the admitted did not exceed. */
        public double latency(double share) {
            Collections.sort(latencies);
            return latencies.isEmpty()
                    ? 0
                    : latencies.get((int) Math.min(latencies.size() - 1, share * latencies.size()));
        }

        /** Share of a priority's requests that were refused. */
        public double refusedShare(Priority priority) {
            return refused[priority.index()] / Math.max(1.0, (double) arrived[priority.index()]);
        }

        public long refused(Priority priority) {
            return refused[priority.index()];
        }

        @Override
        public String toString() {
            return "load %.2f: goodput %.3f, p50 %.1f ms, p99 %.1f ms, refused high %.4f low %.4f"
                    .formatted(
                            phase.load(),
                            goodput(),
                            latency(0.5) * 1e3,
                            latency(0.99) * 1e3,
                            refusedShare(Priority.NORMAL),
                            refusedShare(Priority.LOW));
        }
    }

    private final Service service;
    private final Random random;
    private final Clients clients;
    private final double patienceSeconds;
    private final PriorityQueue<Arrival> events = new PriorityQueue<>();
    private final Deque<Arrival> queue = new ArrayDeque<>();
    private final List<LongConsumer> arrivalsSeen = new ArrayList<>();
    private Gate gate = new Open();
    private Runnable everySecond = () -> {};
    private Figures unmeasured = new Figures(Phase.of(1, 0), 0);
    private long now;
    private int busy;

    public OpenLoop(Service service, Clients clients, double patienceSeconds, long seed) {
        this.service = service;
        this.clients = clients;
        this.patienceSeconds = patienceSeconds;
        this.random = new Random(seed);
    }

    @Override
    public long nanoTime() {
        return now;
    }

    public void gate(Gate other) {
        gate = other;
    }

    /** Called once each simulated second. */
    public void everySecond(Runnable what) {
        everySecond = what;
    }

    /** Called with the time of each arrival. */
    void onArrival(LongConsumer what) {
        arrivalsSeen.add(what);
    }

    /** Runs a phase; requests still in the service stay for the next. */
    public Figures run(Phase phase) {
        long beginNanos = now;
        long endNanos = now + nanos(phase.seconds());
        var figures = new Figures(phase, beginNanos + nanos(phase.skipSeconds()));
        unmeasured = new Figures(phase, beginNanos);
        schedule(phase, figures, endNanos);
        ticks(beginNanos, endNanos);
        while (!events.isEmpty() && events.peek().eventNanos <= endNanos) {
            Arrival next = events.remove();
            now = next.eventNanos;
            next.event.run();
        }
        now = endNanos;
        return figures;
    }

    private void ticks(long beginNanos, long endNanos) {
        for (long at = beginNanos + nanos(1); at <= endNanos; at += nanos(1)) {
            new Arrival(Priority.NORMAL, 0, Phase.of(1, 0), unmeasured).at(at, everySecond);
        }
    }

    private void schedule(Phase phase, Figures figures, long endNanos) {
        double rate = phase.load() * service.capacity();
        long at = now + nanos(-Math.log(1 - random.nextDouble()) / rate);
        if (at <= endNanos) {
            var trigger = new Arrival(Priority.NORMAL, 0, phase, figures);
            trigger.at(at, () -> {
                Priority priority = random.nextBoolean() ? Priority.LOW : Priority.NORMAL;
                arrive(priority, random.nextInt(USERS), phase, figures);
                schedule(phase, figures, endNanos);
            });
        }
    }

    private void arrive(Priority priority, long user, Phase phase, Figures figures) {
        var arrival = new Arrival(priority, user, phase, now >= figures.fromNanos ? figures : unmeasured);
        arrival.figures.arrived[priority.index()]++;
        arrivalsSeen.forEach(seen -> seen.accept(now));
        gate.arrive(arrival);
    }

    private void again(Arrival refused, double retryAfterSeconds) {
        if (clients != Clients.GIVE_UP) {
            double wait = switch (clients) {
                case HONOUR_RETRY_AFTER -> retryAfterSeconds;
                case RETRY_AT_ONCE -> 0.1 * (0.5 + random.nextDouble());
                case RETRY_AFTER_A_SECOND, GIVE_UP -> 1;
            };
            new Arrival(refused.priority, refused.user, refused.phase, refused.figures)
                    .at(now + nanos(wait), () -> arrive(refused.priority, refused.user, refused.phase, unmeasured));
        }
    }

    private void start(Arrival arrival) {
        if (busy < service.servers()) {
            busy++;
            serve(arrival);
        } else {
            queue.addLast(arrival);
        }
    }

    private void serve(Arrival arrival) {
        arrival.at(now + nanos(service.draw(random, arrival.phase.slowness())), () -> finish(arrival));
    }

    private void finish(Arrival arrival) {
        double latency = (now - arrival.arrivedNanos) / NANOS_PER_SECOND;
        arrival.figures.latencies.add(latency);
        arrival.figures.good += latency <= patienceSeconds ? 1 : 0;
        busy--;
        if (!queue.isEmpty()) {
            start(queue.removeFirst());
        }
        gate.ended(arrival);
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * NANOS_PER_SECOND);
    }

    /** No limiter. */
    public static final class Open implements Gate {

        @Override
        public void arrive(Arrival arrival) {
            arrival.admitted();
        }

        @Override
        public void ended(Arrival arrival) {}
    }

    /** Weir's admission, with or without waiting. */
    public static final class Weir implements Gate {

        private final OpenLoop loop;
        private final Admission admission;
        private final boolean waits;
        private final DoubleUnaryOperator header;

        public Weir(OpenLoop loop, ShedConfig config, boolean waits, long seed) {
            this(loop, config, waits, seed, seconds -> seconds);
        }

        /** @param header what is sent in the place of the seconds that admission says */
        Weir(OpenLoop loop, ShedConfig config, boolean waits, long seed, DoubleUnaryOperator header) {
            this.header = header;
            this.loop = loop;
            this.admission = new Admission(config, loop, seed);
            this.waits = waits;
        }

        public Admission admission() {
            return admission;
        }

        @Override
        public void arrive(Arrival arrival) {
            if (waits) {
                var waiter = new SimulatedWaiter(
                        arrival, loop.now, loop.now + admission.maxWait().toNanos());
                admission.enterOrWait(arrival.key(), waiter);
                if (waiter.result == Waiter.PENDING) {
                    loop.new Arrival(arrival.priority, 0, arrival.phase, arrival.figures)
                            .at(waiter.deadlineNanos, () -> admission.expire(waiter));
                }
            } else {
                settle(arrival, admission.tryEnter(arrival.priority, arrival.key()));
            }
        }

        private void settle(Arrival arrival, long token) {
            if (token >= 0) {
                arrival.ticket = token;
                arrival.admitted();
            } else {
                arrival.refused(header.applyAsDouble(
                        (double) admission.refused(token, arrival.key()).retryAfterSeconds()));
            }
        }

        @Override
        public void ended(Arrival arrival) {
            admission.leave((Long) arrival.ticket, Completion.SUCCESS);
        }

        private final class SimulatedWaiter extends Waiter {

            private final Arrival arrival;

            SimulatedWaiter(Arrival arrival, long sinceNanos, long deadlineNanos) {
                super(arrival.priority, sinceNanos, deadlineNanos);
                this.arrival = arrival;
            }

            @Override
            void settled() {
                settle(arrival, result >= 0 ? result : admission.refuse(result, arrival.priority));
            }
        }
    }

    /** A service without a limiter at a load, for comparison. */
    public static Figures unlimited(Service service, double load, double seconds, long seed) {
        return new OpenLoop(service, Clients.GIVE_UP, Double.MAX_VALUE, seed).run(Phase.of(seconds, load));
    }
}
