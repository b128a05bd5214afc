package dev.weir.stack;

import java.util.stream.Collectors;

/** What a run looks like, as text and as JSON. */
final class StackReport {
    private StackReport() {}

    static String text(RunFile run) {
        StringBuilder text = new StringBuilder("%s (%s, held by process %d)%n"
                .formatted(
                        run.id(),
                        run.state() == RunFile.State.READY ? "ready" : "starting",
                        run.owner().pid()));
        for (RunFile.Entry server : run.servers()) {
            text.append("  %-10s %-45s pid %d%s%n"
                    .formatted(
                            server.name(),
                            url(server),
                            server.process().pid(),
                            isAlive(server) ? "" : " (not running)"));
        }
        if (!run.password().isEmpty()) {
            text.append("  PostgreSQL user %s, password %s%n".formatted(PostgresFiles.USER, run.password()));
        }
        return text.toString();
    }

    static String json(RunFile run, CacheFolder cache) {
        String servers = run.servers().stream().map(StackReport::json).collect(Collectors.joining(","));
        return "{\"id\":%s,\"state\":%s,\"ownerPid\":%d,\"folder\":%s,\"user\":%s,\"password\":%s,\"servers\":[%s]}"
                .formatted(
                        quote(run.id()),
                        quote(run.state() == RunFile.State.READY ? "ready" : "starting"),
                        run.owner().pid(),
                        quote(cache.runs().resolve(run.id()).toString()),
                        quote(PostgresFiles.USER),
                        quote(run.password()),
                        servers);
    }

    private static String json(RunFile.Entry server) {
        return "{\"name\":%s,\"host\":\"127.0.0.1\",\"port\":%d,\"url\":%s,\"pid\":%d,\"running\":%b}"
                .formatted(
                        quote(server.name()),
                        server.port(),
                        quote(url(server)),
                        server.process().pid(),
                        isAlive(server));
    }

    private static boolean isAlive(RunFile.Entry server) {
        return server.process().alive().isPresent();
    }

    private static String url(RunFile.Entry server) {
        return switch (server.name()) {
            case "redis" -> Redis.url(server.port());
            case "kafka" -> Kafka.bootstrap(server.port());
            default -> Postgres.jdbcUrl(server.port());
        };
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                default -> quoted.append(c < ' ' ? "\\u%04x".formatted(c) : Character.toString(c));
            }
        });
        return quoted.append('"').toString();
    }
}
