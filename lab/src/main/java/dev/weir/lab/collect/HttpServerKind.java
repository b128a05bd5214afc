package dev.weir.lab.collect;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server a thread handles a request for, as its stack shows. */
enum HttpServerKind {
    TOMCAT("server.tomcat.threads.max", "maxThreads of the Connector"),
    JETTY("server.jetty.threads.max", "maxThreads of the QueuedThreadPool"),
    UNDERTOW("server.undertow.threads.worker", "Undertow.Builder.setWorkerThreads"),
    JDK("the executor given to HttpServer.setExecutor", "the executor given to HttpServer.setExecutor"),
    OTHER(null, null);

    private final @Nullable String bootSetting;
    private final @Nullable String plainSetting;

    HttpServerKind(@Nullable String bootSetting, @Nullable String plainSetting) {
        this.bootSetting = bootSetting;
        this.plainSetting = plainSetting;
    }

    private static List<String> frames(HttpServerKind kind) {
        return switch (kind) {
            case TOMCAT -> List.of("org.apache.coyote.", "org.apache.catalina.core.StandardWrapperValve.");
            case JETTY -> List.of("org.eclipse.jetty.server.");
            case UNDERTOW -> List.of("io.undertow.server.");
            case JDK -> List.of("sun.net.httpserver.ServerImpl$Exchange.", "com.sun.net.httpserver.");
            case OTHER ->
                List.of(
                        "jakarta.servlet.",
                        "javax.servlet.",
                        "org.springframework.web.",
                        "io.netty.handler.codec.http.",
                        "io.vertx.",
                        "io.helidon.webserver.",
                        "org.glassfish.grizzly.http.",
                        "org.glassfish.jersey.");
        };
    }

    /** The server whose frames are on the stack; null where the stack is not that of a request. */
    static @Nullable HttpServerKind of(StackTraceElement[] stack) {
        for (HttpServerKind kind : values()) {
            for (StackTraceElement frame : stack) {
                if (Frames.startsWithAny(Frames.name(frame), frames(kind))) {
                    return kind;
                }
            }
        }
        return null;
    }

    /** Where the bound of its worker threads is set; null where that depends on the service. */
    @Nullable
    String setting(boolean springBoot) {
        return springBoot ? bootSetting : plainSetting;
    }
}
