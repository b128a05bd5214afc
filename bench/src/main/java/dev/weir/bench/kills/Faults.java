package dev.weir.bench.kills;

import dev.weir.stack.Server;
import dev.weir.stack.Stack;
import dev.weir.stack.StackException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** What is done to two instances, none of which runs at first. */
@FunctionalInterface
interface Faults {
    /** Does it; instances may run or not at the end. */
    void inflict(List<Instance> instances) throws Exception;

    Duration SERVER_START = Duration.ofSeconds(60);
    Duration MOMENT = Duration.ofMillis(200);
    Duration CALM = Duration.ofSeconds(2);
    long LIFE_MILLIS = 700;
    long START_MILLIS = 600;
    /** Of so many kills one hits a start. */
    int STARTS_OF = 8;

    /** Instances are killed again and again, each while the other goes on. */
    static Faults kills(int kills) {
        AtomicInteger left = new AtomicInteger(kills);
        return instances -> {
            List<Callable<Integer>> loops = new ArrayList<>();
            for (Instance instance : instances) {
                loops.add(() -> {
                    int lives = 0;
                    for (; left.getAndDecrement() > 0; lives++) {
                        live(instance);
                    }
                    return lives;
                });
            }
            int lives = 0;
            try (ExecutorService executor = Executors.newFixedThreadPool(loops.size())) {
                for (Future<Integer> loop : executor.invokeAll(loops)) {
                    lives += loop.get();
                }
            }
            if (lives != kills) {
                throw new IllegalStateException(lives + " of " + kills + " kills took place.");
            }
        };
    }

    private static void live(Instance instance) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        instance.start();
        if (random.nextInt(STARTS_OF) == 0) {
            pause(Duration.ofMillis(random.nextLong(START_MILLIS)));
        } else {
            instance.awaitReady();
            pause(Duration.ofMillis(random.nextLong(LIFE_MILLIS)));
        }
        instance.kill();
    }

    /** The broker is killed, stays away for this time, and comes back; an instance is killed and started again meanwhile. */
    static Faults brokerAway(Stack stack, Duration time) {
        return instances -> {
            startAll(instances);
            pause(CALM);
            Server broker = stack.kafka().server();
            broker.kill();
            pause(time.dividedBy(2));
            Instance first = instances.getFirst();
            first.kill();
            first.start();
            first.awaitReady();
            pause(time.dividedBy(2));
            startAgain(broker);
            pause(CALM);
        };
    }

    /** The database is killed and started again, so many times. */
    static Faults databaseRestarted(Stack stack, int times) {
        return instances -> {
            startAll(instances);
            for (int i = 0; i < times; i++) {
                pause(CALM);
                Server database = stack.postgres().primary();
                database.kill();
                pause(CALM.dividedBy(2));
                startAgain(database);
            }
            pause(CALM);
        };
    }

    /** One is killed for good; the other empties the outbox, before the spool of the dead one is delivered by a new start. */
    static Faults oneOfTwoKilled() {
        return instances -> {
            startAll(instances);
            pause(CALM);
            instances.getFirst().kill();
            pause(CALM);
            instances.getLast().requestFinish();
            instances.getLast().awaitFinish();
        };
    }

    /** PostgreSQL refuses to start until the last process of its dead predecessor is gone. */
    private static void startAgain(Server server) {
        long end = System.nanoTime() + SERVER_START.toNanos();
        while (!server.isRunning()) {
            try {
                server.start(SERVER_START);
            } catch (StackException busy) {
                if (System.nanoTime() - end > 0) {
                    throw busy;
                }
                pause(MOMENT);
            }
        }
    }

    private static void startAll(List<Instance> instances) throws Exception {
        for (Instance instance : instances) {
            instance.start();
        }
        for (Instance instance : instances) {
            instance.awaitReady();
        }
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
        }
    }
}
