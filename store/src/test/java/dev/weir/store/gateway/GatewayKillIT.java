package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.stack.Stack;
import dev.weir.stack.StackConfig;
import dev.weir.stack.StackProgress;
import dev.weir.store.Http;
import dev.weir.store.StoreApplication;
import dev.weir.store.start.Child;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two instances, while messages are handed in and sent: Kafka is killed, one is frozen until the other has sent its messages, the other is
 * killed, the one too, and a third is started. What was accepted is sent, in order per recipient; and the one that wakes sends nothing that
 * the other has sent.
 */
class GatewayKillIT {

    private static final int RECIPIENTS = 40;
    private static final int SOME = 200;
    private static final int REPEATED_AT_MOST = 1_000;
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    /** Kafka gives the partitions of a silent instance to others after this. */
    private static final String SESSION_MILLIS = "4000";

    @TempDir
    Path folder;

    @Test
    void whatWasAcceptedIsSentInOrderWhateverIsKilledOrFrozen() throws Exception {
        StackConfig config = StackConfig.defaults()
                .withStandbys(0)
                .withRedis(false)
                .withKafka(true)
                .withKafkaSetting("group.min.session.timeout.ms", "1000")
                .withStartTimeout(Duration.ofMinutes(3));
        try (Stack stack = Stack.start(config, StackProgress.silent());
                RecordingProvider provider = new RecordingProvider();
                Clients clients = new Clients(provider);
                Child first = start(stack, provider);
                Child second = start(stack, provider)) {
            clients.use(first.http(), second.http());
            withoutKafka(stack, clients);
            freezeUntilTheOtherHasSentAll(first, second, clients, provider);
            clients.handIn(SOME);
            kill(first);
            clients.handIn(SOME);
            clients.awaitSent();
            clients.handIn(SOME);
            kill(second);
            try (Child third = start(stack, provider)) {
                clients.use(third.http());
                clients.handIn(SOME);
                clients.awaitSent();
                assertThat(third.http().get("/actuator/health").status()).isEqualTo(200);
            }
            clients.requireOrder(provider.textsByRecipient());
            int repeated = provider.taken().size() - provider.count();
            assertThat(repeated).as("sent again").isLessThan(REPEATED_AT_MOST);
        }
    }

    private static void withoutKafka(Stack stack, Clients clients) {
        var kafka = stack.kafka().server();
        clients.handIn(SOME);
        kafka.kill();
        clients.handIn(SOME / 2);
        kafka.start(Duration.ofMinutes(1));
        clients.handIn(SOME);
    }

    private static void kill(Child store) throws Exception {
        store.process().destroyForcibly();
        store.exitCode();
    }

    /** It has read messages of its partitions when it is frozen; by the time it wakes they are the other's, and sent. */
    private static void freezeUntilTheOtherHasSentAll(
            Child other, Child frozen, Clients clients, RecordingProvider provider) throws Exception {
        clients.use(other.http());
        clients.handIn(SOME);
        // None is under way when it is frozen: such a one would come twice whatever is done.
        double cuts = metric(frozen, "pace.cuts");
        provider.refuse(true);
        Child.await(() -> metric(frozen, "pace.cuts") > cuts && metric(frozen, "in.flight") == 0);
        signal(frozen, "STOP");
        provider.refuse(false);
        clients.awaitSent();
        int sentMeanwhile = provider.taken().size();
        signal(frozen, "CONT");
        // Until it has partitions again: some of these messages are its own to send.
        clients.use(other.http(), frozen.http());
        clients.handIn(SOME);
        clients.awaitSent();
        Set<String> keysBefore = provider.taken().stream()
                .limit(sentMeanwhile)
                .map(RecordingProvider.Taken::key)
                .collect(Collectors.toSet());
        assertThat(provider.taken().stream().skip(sentMeanwhile).map(RecordingProvider.Taken::key))
                .as("sent after it woke")
                .doesNotContainAnyElementsOf(keysBefore);
    }

    private static double metric(Child store, String name) {
        try {
            return store.http()
                    .get("/actuator/metrics/store.gateway." + name)
                    .json()
                    .path("measurements")
                    .path(0)
                    .path("value")
                    .asDouble();
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
    }

    private static void signal(Child store, String name) throws Exception {
        int exit = new ProcessBuilder(
                        "kill", "-" + name, Long.toString(store.process().pid()))
                .start()
                .waitFor();
        assertThat(exit).as("kill -%s", name).isZero();
    }

    private Child start(Stack stack, RecordingProvider provider) throws IOException {
        return Child.start(
                folder,
                StoreApplication.class.getName(),
                "--store.port-file",
                "--server.port=0",
                "--spring.datasource.url=" + stack.postgres().jdbcUrl(),
                "--spring.datasource.username=" + stack.postgres().user(),
                "--spring.datasource.password=" + stack.postgres().password(),
                "--store.seed.products=10",
                "--store.messages.url=" + provider.url(),
                "--store.messages.timeout=2s",
                "--store.gateway.enabled=true",
                "--store.gateway.kafka.bootstrap.servers=" + stack.kafka().bootstrap(),
                "--store.gateway.kafka.session.timeout.ms=" + SESSION_MILLIS,
                "--store.gateway.kafka.heartbeat.interval.ms=500",
                "--store.gateway.provider-per-second=300",
                "--store.gateway.max-wait=10m");
    }

    /**
     * One client a recipient, each handing in one message after the other, as long as the store takes them and few wait. Half of them prefer one
     * instance, half the other; whom an instance fails goes to the next one.
     */
    private static final class Clients implements AutoCloseable {

        private static final int MOST_WAITING = 600;

        private final RecordingProvider provider;
        private final Map<String, List<String>> textsByRecipient = new ConcurrentHashMap<>();
        private final Map<String, String> textById = new ConcurrentHashMap<>();
        private final AtomicReference<List<Http>> stores = new AtomicReference<>(List.of());
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean ended;
        private volatile boolean paused = true;

        Clients(RecordingProvider provider) {
            this.provider = provider;
            for (int i = 0; i < RECIPIENTS; i++) {
                int number = i;
                textsByRecipient.put("r-" + i, new ArrayList<>());
                threads.add(Thread.ofVirtual().start(() -> run("r-" + number, number)));
            }
        }

        private void run(String to, int preferred) {
            int next = 0;
            int turn = preferred;
            while (!ended) {
                if (!paused && textById.size() - provider.count() < MOST_WAITING) {
                    List<Http> all = stores.get();
                    if (accepted(all.get(turn % all.size()), to, next)) {
                        next++;
                    } else {
                        turn++;
                    }
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        /** The same message with the same key until the answer is in, as a client does that wants it sent once. */
        private boolean accepted(Http store, String to, int number) {
            try {
                String text = to + "-" + number;
                Http.Answer answer = store.post(
                        "/api/messages",
                        "{\"to\": \"" + to + "\", \"text\": \"" + text + "\"}",
                        "Idempotency-Key",
                        text);
                if (answer.status() != 202) {
                    return false;
                }
                textById.put(answer.json().path("id").asString(), text);
                Objects.requireNonNull(textsByRecipient.get(to)).add(text);
                return true;
            } catch (UncheckedIOException killed) {
                return false;
            }
        }

        /** From now on to these instances. */
        void use(Http... instances) {
            stores.set(List.of(instances));
        }

        /** Goes on until so many more are accepted, and thereafter. */
        void handIn(int more) {
            paused = false;
            int wanted = textById.size() + more;
            Child.await(() -> textById.size() >= wanted);
        }

        /** Hands in no more, and waits until the provider has all that were accepted. */
        void awaitSent() {
            paused = true;
            Child.await(() -> textById.keySet().stream().allMatch(provider::has));
        }

        void requireOrder(Map<String, List<String>> sent) {
            Map<String, List<String>> expected = new HashMap<>(textsByRecipient);
            expected.forEach((to, texts) ->
                    assertThat(sent.getOrDefault(to, List.of())).as(to).startsWith(texts.toArray(String[]::new)));
        }

        @Override
        public void close() {
            ended = true;
            try {
                for (Thread thread : threads) {
                    thread.join();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
