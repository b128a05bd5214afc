package dev.weir.core.express;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One hot read endpoint: a path, where its values come from, and how they are written. GET and HEAD without a query are
 * answered from bytes encoded once per cache entry; everything else on the same path goes to the application.
 *
 * <p>An express answer is the same for every caller: it is given before the application's filters run, without looking at
 * cookies or credentials. Immutable; safe for any thread.
 *
 * <pre>{@code
 * ExpressRoute.of("/api/v2/products/{id}", Long::valueOf, products)
 *         .produces("application/json", json::writeValueAsBytes)
 *         .produces("application/x-protobuf", product -> product.toProto().toByteArray())
 *         .cacheControl("public, max-age=5")
 *         .openToAll()
 *         .build();
 * }</pre>
 */
public final class ExpressRoute<K, V> {

    private final PathTemplate template;
    private final Function<String, ? extends K> key;
    private final HotEntries<K, V> entries;
    private final List<Representation<V>> representations;
    private final List<String> mediaTypes;
    private final List<RouteHeader> headers;
    private final @Nullable RouteHeader cacheControl;
    private final int gzipFromBytes;
    private final boolean openToAll;
    private final KnownValues accepts;
    private final RouteCounts counts = new RouteCounts();

    private ExpressRoute(Builder<K, V> builder) {
        template = builder.template;
        key = builder.key;
        entries = builder.entries;
        representations = List.copyOf(builder.representations);
        mediaTypes = representations.stream().map(Representation::mediaType).toList();
        headers = List.copyOf(builder.headers);
        cacheControl = builder.cacheControl;
        gzipFromBytes = builder.gzipFromBytes;
        openToAll = builder.openToAll;
        accepts = KnownValues.ofAccept(mediaTypes);
    }

    /**
     * Starts a route.
     *
     * @param path with at most one variable, a whole segment: {@code /products/{id}}
     * @param key makes the key of the variable's text (empty for a path without one); where it throws an
     *     IllegalArgumentException, as {@code Long::valueOf} does, the request goes to the application
     * @param entries where values come from
     */
    public static <K, V> Builder<K, V> of(String path, Function<String, ? extends K> key, HotEntries<K, V> entries) {
        return new Builder<>(new PathTemplate(path), key, entries);
    }

    /** The path as declared. */
    public String path() {
        return template.toString();
    }

    /** Whether the route was declared open to every caller. */
    public boolean isOpenToAll() {
        return openToAll;
    }

    /** What the route has answered so far. */
    public RouteCounts counts() {
        return counts;
    }

    PathTemplate template() {
        return template;
    }

    KnownValues accepts() {
        return accepts;
    }

    List<String> mediaTypes() {
        return mediaTypes;
    }

    /** The key of the variable's text, or null where the text is no key. */
    @Nullable
    K key(String variable) {
        try {
            return key.apply(variable);
        } catch (IllegalArgumentException noKey) {
            return null;
        }
    }

    /** The form that is ready to send, or null: for the poller thread, which neither loads nor encodes. */
    @Nullable
    EncodedForm ready(String variable, int representation, boolean gzip) {
        K wanted = key(variable);
        HotEntry<V> entry = wanted == null ? null : entries.peek(wanted);
        EncodedForms forms = entry == null ? null : EncodedForms.of(entry, this);
        return forms == null ? null : forms.get(representation, gzip);
    }

    /** The entry of a key, loaded where it must be; null where the value does not exist. */
    @Nullable
    HotEntry<V> entry(K wanted) throws Exception {
        HotEntry<V> entry = entries.peek(wanted);
        return entry != null ? entry : entries.load(wanted);
    }

    /** The form of an entry, encoded where it is not yet. */
    EncodedForm form(HotEntry<V> entry, int representation, boolean gzip) throws Exception {
        EncodedForms forms = EncodedForms.of(entry, this);
        EncodedForm ready = forms == null ? null : forms.get(representation, gzip);
        return ready != null ? ready : encode(entry, representation, gzip);
    }

    private EncodedForm encode(HotEntry<V> entry, int representation, boolean gzip) throws Exception {
        Representation<V> wanted = representations.get(representation);
        byte[] plain = wanted.encoder().encode(entry.value());
        byte[] compressed = gzip && gzipFromBytes >= 0 && plain.length >= gzipFromBytes ? gzip(plain) : plain;
        // Where compressing saves nothing both forms are the plain one.
        boolean saves = compressed.length < plain.length;
        String tag = EntityTags.of(plain);
        EncodedForm form = saves
                ? new EncodedForm(
                        compressed,
                        wanted.contentType(),
                        EntityTags.gzipped(tag),
                        headers(EntityTags.gzipped(tag), true))
                : new EncodedForm(plain, wanted.contentType(), tag, headers(tag, false));
        keep(entry, representation, gzip, form);
        return form;
    }

    // Two threads that encode the first forms of an entry at once may lose one of them, which is then encoded again.
    private void keep(HotEntry<V> entry, int representation, boolean gzip, EncodedForm form) {
        EncodedForms forms = EncodedForms.of(entry, this);
        if (forms == null) {
            EncodedForms others = entry.attachment() instanceof EncodedForms attached ? attached : null;
            forms = new EncodedForms(this, representations.size(), others);
            entry.attach(forms);
        }
        forms.set(representation, gzip, form);
    }

    private List<RouteHeader> headers(String tag, boolean compressed) {
        List<RouteHeader> all = new ArrayList<>(headers);
        if (cacheControl != null) {
            all.add(cacheControl);
        }
        all.add(new RouteHeader("ETag", tag));
        String vary = vary();
        if (!vary.isEmpty()) {
            all.add(new RouteHeader("Vary", vary));
        }
        if (compressed) {
            all.add(new RouteHeader("Content-Encoding", "gzip"));
        }
        return List.copyOf(all);
    }

    private String vary() {
        boolean types = representations.size() > 1;
        boolean codings = gzipFromBytes >= 0;
        return types && codings ? "Accept, Accept-Encoding" : types ? "Accept" : codings ? "Accept-Encoding" : "";
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(plain.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(plain);
        }
        return compressed.toByteArray();
    }

    @Override
    public String toString() {
        return "GET " + template + " in " + mediaTypes;
    }

    /** Collects what a route is. */
    public static final class Builder<K, V> {

        private final PathTemplate template;
        private final Function<String, ? extends K> key;
        private final HotEntries<K, V> entries;
        private final List<Representation<V>> representations = new ArrayList<>();
        private final List<RouteHeader> headers = new ArrayList<>();
        private @Nullable RouteHeader cacheControl;
        private int gzipFromBytes = 1024;
        private boolean openToAll;

        private Builder(PathTemplate template, Function<String, ? extends K> key, HotEntries<K, V> entries) {
            this.template = template;
            this.key = Objects.requireNonNull(key);
            this.entries = Objects.requireNonNull(entries);
        }

        /** Adds a media type; the first is sent where the request leaves the choice. */
        public Builder<K, V> produces(String contentType, BodyEncoder<? super V> encoder) {
            Representation<V> added = new Representation<>(contentType, encoder);
            boolean known = representations.stream().anyMatch(r -> r.mediaType().equals(added.mediaType()));
            if (known) {
                throw new IllegalArgumentException("The express route " + template + " produces " + added.mediaType()
                        + " twice; give each media type one encoder.");
            }
            representations.add(added);
            return this;
        }

        /** Sets Cache-Control, such as {@code public, max-age=5}; without it the header is not sent. */
        public Builder<K, V> cacheControl(String value) {
            cacheControl = new RouteHeader("Cache-Control", value);
            return this;
        }

        /**
         * Adds a header to every answer: what the application's filters would add, such as
         * {@code X-Content-Type-Options: nosniff}.
         */
        public Builder<K, V> header(String name, String value) {
            RouteHeader added = RouteHeader.declared(name, value);
            String lower = name.toLowerCase(Locale.ROOT);
            if (headers.stream().anyMatch(h -> h.name().toLowerCase(Locale.ROOT).equals(lower))) {
                throw new IllegalArgumentException(
                        "The express route " + template + " sets the header " + name + " twice; give it one value.");
            }
            headers.add(added);
            return this;
        }

        /** Compresses bodies of at least this many bytes for callers that accept gzip; 1024 unless set. */
        public Builder<K, V> gzipFrom(int bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("The express route " + template + " compresses from " + bytes
                        + " bytes; give 0 or more, or call withoutGzip().");
            }
            gzipFromBytes = bytes;
            return this;
        }

        /** Never compresses. */
        public Builder<K, V> withoutGzip() {
            gzipFromBytes = -1;
            return this;
        }

        /**
         * Declares that every caller may read this, with or without credentials: the answer is given before any filter,
         * security's included. Required where security guards the path.
         */
        public Builder<K, V> openToAll() {
            openToAll = true;
            return this;
        }

        /** The route; complete or refused. */
        public ExpressRoute<K, V> build() {
            if (representations.isEmpty()) {
                throw new IllegalArgumentException(
                        "The express route " + template + " produces nothing; add a media type with produces(...).");
            }
            return new ExpressRoute<>(this);
        }
    }
}
