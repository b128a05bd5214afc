package dev.weir.lab.plan;

import dev.weir.lab.plan.ComputedRequest.Piece;
import dev.weir.lab.plan.Template.Part;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns requests into HTTP/1.1 messages (RFC 9112). */
final class RequestEncoder {
    private static final Set<String> METHODS_WITH_CONTENT = Set.of("POST", "PUT", "PATCH");

    private final ValueSet values;

    private RequestEncoder(ValueSet values) {
        this.values = values;
    }

    static EncodedRequest encode(Request request, Target target, ValueSet values) {
        return request.uses().isEmpty()
                ? FixedRequest.of(new RequestEncoder(values).message(request, target), request.isHead())
                : new RequestEncoder(values).computed(request, target);
    }

    private ComputedRequest computed(Request request, Target target) {
        List<Value> used = request.uses().stream()
                .map(Request.Use::name)
                .distinct()
                .map(values::get)
                .toList();
        return new ComputedRequest(
                head(request, target), body(request.body()), used, hasContent(request), request.isHead());
    }

    private ByteBuffer message(Request request, Target target) {
        ByteSink content = new ByteSink();
        body(request.body()).forEach(piece -> piece.writeTo(content));
        ByteSink message = new ByteSink();
        head(request, target).forEach(piece -> piece.writeTo(message));
        if (hasContent(request)) {
            message.put(ascii("Content-Length: " + content.size() + "\r\n"));
        }
        message.put(ascii("\r\n"));
        message.drain(content);
        return message.flip();
    }

    private static boolean hasContent(Request request) {
        return request.body() != null || METHODS_WITH_CONTENT.contains(request.method());
    }

    /** Request line and headers, save Content-Length, each line ended. */
    private List<Piece> head(Request request, Target target) {
        List<Piece> head = new ArrayList<>();
        head.add(literal(request.method() + " "));
        addAll(head, request.path(), Value.Place.PATH);
        head.add(literal(" HTTP/1.1\r\n"));
        addDefault(head, request, "Host", target.hostHeader());
        addDefault(head, request, "User-Agent", "weir");
        for (Request.Field field : request.headers()) {
            head.add(literal(field.name() + ": "));
            addAll(head, field.value(), Value.Place.HEADER);
            head.add(literal("\r\n"));
        }
        return head;
    }

    private static void addDefault(List<Piece> head, Request request, String name, String value) {
        if (request.headers().stream().noneMatch(field -> field.name().equalsIgnoreCase(name))) {
            head.add(literal(name + ": " + value + "\r\n"));
        }
    }

    private List<Piece> body(@Nullable Template body) {
        List<Piece> pieces = new ArrayList<>();
        if (body != null) {
            addAll(pieces, body, Value.Place.BODY);
        }
        return pieces;
    }

    private void addAll(List<Piece> pieces, Template template, Value.Place place) {
        for (Part part : template.parts()) {
            pieces.add(piece(part, template.charset(), place));
        }
    }

    private Piece piece(Part part, Charset charset, Value.Place place) {
        return switch (part) {
            case Part.Literal(String text) ->
                bytes((place == Value.Place.PATH ? PathEncoding.encode(text) : text).getBytes(charset));
            case Part.Place(String name) -> {
                Value value = values.get(name);
                yield sink -> value.writeTo(sink, place);
            }
        };
    }

    private static Piece literal(String text) {
        return bytes(ascii(text));
    }

    private static Piece bytes(byte[] content) {
        return sink -> sink.put(content);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
