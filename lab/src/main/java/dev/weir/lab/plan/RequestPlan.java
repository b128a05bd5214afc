package dev.weir.lab.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What is sent to a service: one request or a weighted mix of several, and the service. Immutable. */
public final class RequestPlan {
    private final Target target;
    private final List<Request> requests;
    private final Map<String, ValueSource> values;

    RequestPlan(Target target, List<Request> requests, Map<String, ValueSource> values) {
        this.target = target;
        this.requests = List.copyOf(requests);
        this.values = Map.copyOf(values);
    }

    /** GET of the target's path. */
    public static RequestPlan get(Target target) {
        return single(target, "GET", List.of(), null);
    }

    /**
     * One request, sent as it is again and again; braces stand for themselves.
     *
     * @param body null for none
     * @throws PlanException with one sentence, if it is no valid request
     */
    public static RequestPlan single(Target target, String method, List<Header> headers, byte @Nullable [] body) {
        Request request = new Request(
                method + " " + target.path(),
                1,
                method,
                Template.literal(target.path()),
                List.of(),
                body == null ? null : Template.bytes(body));
        return new RequestPlan(target, List.of(request.with(headers)), Map.of());
    }

    /**
     * Reads a request file; docs/reference/load.md describes its format.
     *
     * @param url the service, in the place of the file's own {@code url}; null to use that
     * @param headers added to every request, in the place of those of the same name
     * @throws PlanException with one sentence that names file and line, if it cannot be used
     */
    public static RequestPlan read(Path file, @Nullable String url, List<Header> headers) {
        RequestPlan written = RequestFile.read(file, url);
        List<Request> requests =
                written.requests.stream().map(request -> request.with(headers)).toList();
        return new RequestPlan(written.target, requests, written.values);
    }

    /** The service; its path is the one of the URL given. */
    public Target target() {
        return target;
    }

    /** The requests' names and weights, in the file's order. */
    public List<Share> shares() {
        double total = requests.stream().mapToDouble(Request::weight).sum();
        return requests.stream()
                .map(request -> new Share(request.name(), request.weight() / total))
                .toList();
    }

    /**
     * One kind of request and how often it is sent.
     *
     * @param share of all requests, 0 to 1
     */
    public record Share(String name, double share) {}

    /**
     * The sources of the engine's threads.
     *
     * @param seed of every random choice; the same seed and number of threads give the same requests
     */
    public RequestSource.Factory sources(long seed) {
        return (thread, threads) -> source(new SplittableRandom(seed + thread), thread, threads);
    }

    private RequestSource source(SplittableRandom random, int thread, int threads) {
        ValueSet chosen = new ValueSet(values, random, thread, threads);
        List<EncodedRequest> encoded = requests.stream()
                .map(request -> RequestEncoder.encode(request, target, chosen))
                .toList();
        return encoded.size() == 1 && encoded.getFirst() instanceof FixedRequest fixed
                ? fixed
                : new MixedSource(
                        encoded, requests.stream().mapToDouble(Request::weight).toArray(), random.split());
    }
}
