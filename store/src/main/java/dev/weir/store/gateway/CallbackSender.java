package dev.weir.store.gateway;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells clients what became of their messages: signed, at least once, tried again with growing pauses, then parked.
 *
 * <p>One thread takes due callbacks from the table and writes down how they ended; each call has a virtual thread. A callback taken is
 * leased: one whose process dies is due again after that. A client whose server is slow has at most so many calls under way, and
 * what is more waits in the table, so it delays nobody else. No redirect is followed, no body of an answer is read.
 */
final class CallbackSender implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(CallbackSender.class);
    private static final int MOST_AT_ONCE = 256;
    private static final int MOST_OF_A_CLIENT = 32;
    private static final int CLAIMED_AT_ONCE = 64;
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration RESULTS = Duration.ofMillis(20);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(5);
    private static final Duration CONNECT_TIME = Duration.ofSeconds(2);
    private static final int MOST_DOUBLINGS = 30;
    private static final int FIRST_SUCCESS = 200;
    private static final int FIRST_NO_SUCCESS = 300;
    private static final JsonMapper JSON = JsonMapper.shared();

    private record Result(CallbackTable.Due due, @Nullable String failure) {}

    private final CallbackTable table;
    private final AllowedOrigins allowed;
    private final Signature signature;
    private final GatewaySettings.Callbacks settings;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIME)
            .build();
    private final Semaphore wake = new Semaphore(0);
    private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();
    private final Map<String, Integer> underWay = new HashMap<>();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder parked = new LongAdder();
    private final Thread thread =
            Thread.ofPlatform().name("store-gateway-callbacks").daemon(true).unstarted(this::run);
    private int atOnce;
    private boolean warned;
    private volatile boolean closing;

    CallbackSender(
            CallbackTable table,
            AllowedOrigins allowed,
            Signature signature,
            GatewaySettings.Callbacks settings,
            InstantSource clock,
            RandomGenerator random) {
        this.table = table;
        this.allowed = allowed;
        this.signature = signature;
        this.settings = settings;
        this.clock = clock;
        this.random = random;
    }

    void start() {
        thread.start();
    }

    /** There may be new ones; cheap. */
    void wake() {
        if (wake.availablePermits() == 0) {
            wake.release();
        }
    }

    private void run() {
        try {
            while (!closing || atOnce > 0) {
                step();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void step() throws InterruptedException {
        try {
            writeResults();
            int claimed = closing ? 0 : claim();
            warned = false;
            if (claimed == 0) {
                await();
            }
        } catch (RuntimeException trouble) {
            if (!warned) {
                log.warn("Callbacks cannot be delivered at present: {}", trouble.toString());
                warned = true;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        }
    }

    /** Until a call has ended, or, with none under way, until there may be something due. */
    private void await() throws InterruptedException {
        if (atOnce > 0) {
            Result result = results.poll(RESULTS.toMillis(), TimeUnit.MILLISECONDS);
            if (result != null) {
                results.add(result);
            }
        } else if (wake.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            wake.drainPermits();
        }
    }

    private int claim() {
        int room = Math.min(CLAIMED_AT_ONCE, MOST_AT_ONCE - atOnce);
        if (room <= 0) {
            return 0;
        }
        List<String> busy = new ArrayList<>();
        underWay.forEach((name, count) -> {
            if (count >= MOST_OF_A_CLIENT) {
                busy.add(name);
            }
        });
        List<CallbackTable.Due> due = table.claim(room, LEASE, busy);
        for (CallbackTable.Due each : due) {
            underWay.merge(each.client(), 1, Integer::sum);
            atOnce++;
            Thread.ofVirtual().name("store-gateway-callback").start(() -> results.add(new Result(each, call(each))));
        }
        return due.size();
    }

    private void writeResults() {
        List<Result> ended = new ArrayList<>();
        results.drainTo(ended);
        List<UUID> confirmed = new ArrayList<>();
        for (Result result : ended) {
            atOnce--;
            underWay.computeIfPresent(result.due.client(), (name, count) -> count == 1 ? null : count - 1);
            if (result.failure == null) {
                confirmed.add(result.due.messageId());
            }
        }
        // What cannot be written is due again when its lease ends.
        if (!confirmed.isEmpty()) {
            table.delivered(confirmed);
            delivered.add(confirmed.size());
        }
        ended.forEach(this::writeFailure);
    }

    private void writeFailure(Result result) {
        String failure = result.failure;
        if (failure == null) {
            return;
        }
        CallbackTable.Due due = result.due;
        failures.increment();
        if (due.attempts() >= settings.attempts()) {
            table.park(due.messageId(), failure);
            parked.increment();
            log.error(
                    "The callback of message {} is parked after {} attempts: {}",
                    due.messageId(),
                    due.attempts(),
                    failure);
        } else {
            table.retry(due.messageId(), pause(due.attempts()), failure);
        }
    }

    private Duration pause(int attempts) {
        long first = settings.retryBackoff().toMillis();
        long most = settings.maxRetryBackoff().toMillis();
        int times = attempts - 1;
        long pause = times >= MOST_DOUBLINGS ? most : Math.min(most, first << times);
        return Duration.ofMillis(pause / 2 + random.nextLong(pause / 2 + 1));
    }

    /** Calls once; answers why it failed, or null. Ends in time whatever the other side does. */
    private @Nullable String call(CallbackTable.Due due) {
        // Settings may have changed since the message was accepted.
        String objection = allowed.objection(due.url()).orElse(null);
        if (objection != null) {
            return "the URL " + objection;
        }
        CompletableFuture<HttpResponse<Void>> call = client.sendAsync(request(due), BodyHandlers.discarding());
        try {
            int status = call.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
                    .statusCode();
            return status >= FIRST_SUCCESS && status < FIRST_NO_SUCCESS ? null : "it answered " + status;
        } catch (TimeoutException late) {
            return "no whole answer within " + settings.timeout().toMillis() + " ms";
        } catch (ExecutionException failed) {
            return String.valueOf(failed.getCause());
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return "the store was stopped";
        } finally {
            // Also an answer without an end: nothing of it is wanted.
            call.cancel(true);
        }
    }

    private HttpRequest request(CallbackTable.Due due) {
        long unixSeconds = clock.instant().getEpochSecond();
        String body = body(due);
        String id = due.messageId().toString();
        return HttpRequest.newBuilder(URI.create(due.url()))
                .header("Content-Type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(unixSeconds))
                .header("webhook-signature", signature.sign(due.client(), id, unixSeconds, body))
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static String body(CallbackTable.Due due) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", due.messageId());
        data.put("status", due.status());
        if (due.providerId() != null) {
            data.put("providerId", due.providerId());
        }
        if (due.reason() != null) {
            data.put("reason", due.reason());
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", due.status().equals(MessageStatus.SENT.name()) ? "message.sent" : "message.failed");
        body.put("timestamp", due.endedAt().toString());
        body.put("data", data);
        return JSON.writeValueAsString(body);
    }

    /** What it has counted since the start. */
    record Stats(long delivered, long failures, long parked) {}

    Stats stats() {
        return new Stats(delivered.sum(), failures.sum(), parked.sum());
    }

    /** Takes nothing more and, within 5 seconds, writes down how calls under way end; others are due again after their lease. */
    @Override
    public void close() {
        closing = true;
        wake();
        try {
            if (thread.isAlive() && !thread.join(CLOSE_TIME)) {
                thread.interrupt();
                thread.join(CLOSE_TIME);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }
}
