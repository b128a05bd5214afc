package dev.weir.core.watch;

import dev.weir.core.time.NanoClock;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each request its {@link Budget}, adds them up when they end, and logs what took too long or happened too often: a line an offence,
 * with the whole budget of its request, held back where the same was logged a moment ago. Any thread may call it.
 *
 * <p>Offences are logged when their request ends, not sooner, since the budget is complete then.
 */
public final class RequestWatch {

    private static final Logger log = LoggerFactory.getLogger("dev.weir.watch");

    private final Limits limits;
    private final NanoClock clock;
    private final LogPace pace;
    private final Consumer<OffenceReport> reports;
    private final LongAdder requests = new LongAdder();
    private final LongAdder requestNanos = new LongAdder();
    private final LongAdder restNanos = new LongAdder();
    private final LongAdder[] calls = adders(Kind.all().length);
    private final LongAdder[] sums = adders(Kind.all().length);
    private final LongAdder[] unions = adders(Kind.all().length);
    private final LongAdder[] offences = adders(Offence.all().length);
    private final LongAdder heldBack = new LongAdder();
    private final LongAdder queries = new LongAdder();
    private final LongAdder beans = new LongAdder();
    private final LongAdder exceptions = new LongAdder();
    private final LongAdder logBytes = new LongAdder();
    private final LongAdder threads = new LongAdder();

    /** Logs to {@code dev.weir.watch}. */
    public RequestWatch(WatchConfig config, NanoClock clock) {
        this(config, clock, RequestWatch::log);
    }

    RequestWatch(WatchConfig config, NanoClock clock, Consumer<OffenceReport> reports) {
        this.reports = reports;
        this.limits = new Limits(config);
        this.clock = clock;
        this.pace = new LogPace(config.logEvery().toNanos(), config.maxFingerprints());
    }

    private static LongAdder[] adders(int count) {
        LongAdder[] adders = new LongAdder[count];
        for (int i = 0; i < count; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }

    /** A request begins now. */
    public Budget begin() {
        return new Budget(limits, clock);
    }

    /**
     * The request has ended. Does nothing where that was said before.
     *
     * @param request which one, without its variables: {@code GET /products/{id}}; asked for only where there is something to log
     * @param status of the answer
     */
    public void end(Budget budget, Supplier<String> request, int status) {
        if (!budget.end()) {
            return;
        }
        add(budget);
        List<Budget.Entry> entries = budget.offences();
        if (!entries.isEmpty()) {
            String name = request.get();
            entries.forEach(entry -> tell(entry, budget, name, status));
        }
    }

    private void add(Budget budget) {
        requests.increment();
        requestNanos.add(budget.totalNanos());
        restNanos.add(budget.restNanos());
        for (Kind kind : Kind.all()) {
            int count = budget.calls(kind);
            if (count > 0) {
                calls[kind.index()].add(count);
                sums[kind.index()].add(budget.sumNanos(kind));
                unions[kind.index()].add(budget.unionNanos(kind));
            }
        }
        addWhere(queries, budget.queries());
        addWhere(beans, budget.beans());
        addWhere(exceptions, budget.exceptions());
        addWhere(logBytes, budget.logBytes());
        addWhere(threads, budget.threads());
    }

    private static void addWhere(LongAdder sum, long amount) {
        if (amount != 0) {
            sum.add(amount);
        }
    }

    private void tell(Budget.Entry entry, Budget budget, String request, int status) {
        offences[entry.offence().index()].increment();
        String what = switch (entry.offence()) {
            case REQUEST -> request;
            case SQL, SAME_QUERY -> Fingerprint.ofSql(entry.what().toString());
            case REMOTE, REDIS, BEANS, EXCEPTIONS, THREADS, LOG -> Fingerprint.of(entry.what());
        };
        String label = entry.offence().label();
        OptionalLong passed = pace.tryPass(label + ' ' + what, clock.nanoTime());
        if (passed.isEmpty()) {
            heldBack.increment();
            return;
        }
        reports.accept(new OffenceReport(
                entry.offence(),
                what,
                entry.measure(),
                entry.limit(),
                passed.getAsLong(),
                request,
                status,
                budget.text()));
    }

    private static void log(OffenceReport report) {
        log.atWarn()
                .addKeyValue("weir.offence", report.offence().label())
                .addKeyValue("weir.what", report.what())
                .addKeyValue("weir.measure", report.measure())
                .addKeyValue("weir.limit", report.limit())
                .addKeyValue("weir.suppressed", report.suppressed())
                .log("{}", report.line());
    }

    /** Requests that have ended. */
    public long requests() {
        return requests.sum();
    }

    /** How long they took together. */
    public long requestNanos() {
        return requestNanos.sum();
    }

    /** How much of it no kind accounts for. */
    public long restNanos() {
        return restNanos.sum();
    }

    /** Calls of this kind in them. */
    public long calls(Kind kind) {
        return calls[kind.index()].sum();
    }

    /** All these calls' times added. */
    public long sumNanos(Kind kind) {
        return sums[kind.index()].sum();
    }

    /** How much of the requests' time at least one such call was under way. */
    public long unionNanos(Kind kind) {
        return unions[kind.index()].sum();
    }

    /** How often this happened, logged or not. */
    public long offences(Offence offence) {
        return offences[offence.index()].sum();
    }

    /** Lines that were not written because the same was logged a moment before. */
    public long heldBack() {
        return heldBack.sum();
    }

    /** Statements executed. */
    public long queries() {
        return queries.sum();
    }

    /** Beans made for one request alone. */
    public long beans() {
        return beans.sum();
    }

    /** Exceptions seen. */
    public long exceptions() {
        return exceptions.sum();
    }

    /** Bytes logged. */
    public long logBytes() {
        return logBytes.sum();
    }

    /** Threads made. */
    public long threads() {
        return threads.sum();
    }
}
