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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of the store, and of Kafka, while messages are handed in and sent: what was accepted is sent, in order per recipient. */
class GatewayKillIT {

    private static final int RECIPIENTS = 20;
    private static final int KILLS = 3;
    private static final int ACCEPTED_BETWEEN_KILLS = 300;

    @TempDir
    Path folder;

    @Test
    void whatWasAcceptedIsSentInOrderWhateverIsKilled() throws Exception {
        StackConfig config = StackConfig.defaults()
                .withStandbys(0)
                .withRedis(false)
                .withKafka(true)
                .withStartTimeout(Duration.ofMinutes(3));
        try (Stack stack = Stack.start(config, StackProgress.silent());
                RecordingProvider provider = new RecordingProvider();
                Clients clients = new Clients()) {
            for (int kill = 0; kill < KILLS; kill++) {
                try (Child store = start(stack, provider)) {
                    clients.send(store.http());
                    int wanted = clients.accepted() + ACCEPTED_BETWEEN_KILLS;
                    Child.await(() -> clients.accepted() >= wanted);
                    if (kill == 1) {
                        var kafka = stack.kafka().server();
                        kafka.kill();
                        int more = clients.accepted() + ACCEPTED_BETWEEN_KILLS / 3;
                        Child.await(() -> clients.accepted() >= more);
                        kafka.start(Duration.ofMinutes(1));
                    }
                    store.process().destroyForcibly();
                    store.exitCode();
                }
            }
            clients.pause();
            try (Child store = start(stack, provider)) {
                Http http = store.http();
                assertThat(http.get("/actuator/health").status()).isEqualTo(200);
                Child.await(() -> clients.ids().stream().allMatch(provider::has));
            }
            clients.requireOrder(provider.textsByRecipient());
            int repeated = provider.taken().size() - provider.count();
            assertThat(repeated).as("sent again after %d kills", KILLS).isLessThan(KILLS * 400);
        }
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
                "--store.gateway.provider-per-second=100",
                "--store.gateway.max-wait=10m");
    }

    /** One client a recipient, each handing in one message after the other, as long as the store takes them. */
    private static final class Clients implements AutoCloseable {

        private final Map<String, List<String>> textsByRecipient = new ConcurrentHashMap<>();
        private final Map<String, String> textById = new ConcurrentHashMap<>();
        private final AtomicReference<Http> store = new AtomicReference<>(new Http(1));
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean ended;
        private volatile boolean paused = true;

        Clients() {
            for (int i = 0; i < RECIPIENTS; i++) {
                String to = "r-" + i;
                textsByRecipient.put(to, new ArrayList<>());
                threads.add(Thread.ofVirtual().start(() -> handIn(to)));
            }
        }

        private void handIn(String to) {
            int next = 0;
            while (!ended) {
                if (!paused && accepted(to, next)) {
                    next++;
                }
                pauseBriefly();
            }
        }

        /** The same message with the same key until the answer is in, as a client does that wants it sent once. */
        private boolean accepted(String to, int number) {
            try {
                String text = to + "-" + number;
                Http.Answer answer = store.get()
                        .post(
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

        private static void pauseBriefly() {
            LockSupport.parkNanos(50_000_000);
        }

        void send(Http http) {
            store.set(http);
            paused = false;
        }

        void pause() {
            paused = true;
        }

        int accepted() {
            return textById.size();
        }

        List<String> ids() {
            return List.copyOf(textById.keySet());
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
