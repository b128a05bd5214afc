package dev.weir.lab.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One kind of request of a plan.
 *
 * @param name how it is called in messages
 * @param weight its share among the plan's requests, relative to their weights; above 0
 * @param headers added to those Weir sends, or in the place of one of the same name
 * @param body null for none
 */
record Request(
        String name,
        double weight,
        String method,
        Template path,
        List<Field> headers,
        @Nullable Template body) {

    /** A header whose value may hold places. */
    record Field(String name, Template value) {}

    /** A value's name, and where in the request it stands. */
    record Use(String name, Value.Place place) {}

    Request {
        headers = List.copyOf(headers);
        if (!Header.isToken(method)) {
            throw new PlanException("'" + method.replaceAll("\\p{Cntrl}", "?")
                    + "' is not an HTTP method: write one such as GET, POST, PUT, PATCH, DELETE or HEAD");
        }
        if (method.equals("CONNECT")) {
            throw new PlanException(
                    "the method CONNECT asks a proxy for a tunnel, which Weir does not use: write" + " another");
        }
        for (Field header : headers) {
            Header.checkName(header.name());
            header.value().literals().forEach(text -> Header.checkValue(header.name(), text));
        }
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** The same with the given headers added, each in the place of those of its name. */
    Request with(List<Header> added) {
        List<Field> kept = headers.stream()
                .filter(field -> added.stream().noneMatch(header -> header.isNamed(field.name())))
                .toList();
        List<Field> all = new ArrayList<>(kept);
        added.forEach(header -> all.add(new Field(header.name(), Template.literal(header.value()))));
        return new Request(name, weight, method, path, all, body);
    }

    /** Every place for a value in it. */
    List<Use> uses() {
        List<Use> uses = new ArrayList<>(uses(path, Value.Place.PATH));
        headers.forEach(field -> uses.addAll(uses(field.value(), Value.Place.HEADER)));
        if (body != null) {
            uses.addAll(uses(body, Value.Place.BODY));
        }
        return uses;
    }

    private static List<Use> uses(Template template, Value.Place place) {
        return template.names().stream().map(name -> new Use(name, place)).toList();
    }
}
