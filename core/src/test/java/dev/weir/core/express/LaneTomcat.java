package dev.weir.core.express;

import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A Tomcat on a free port with express routes in a filter, the port lane on or off, and a servlet that tells what it got. */
final class LaneTomcat implements AutoCloseable {

    final PortLane lane;
    final ExpressRoutes routes;
    final Tomcat tomcat = new Tomcat();
    final ExpressNioProtocol protocol = new ExpressNioProtocol();
    final Context context;
    private final Path base;

    private LaneTomcat(List<ExpressRoute<?, ?>> routes, PortLaneSettings settings, Admission admission) {
        this.routes = new ExpressRoutes(routes);
        lane = new PortLane(this.routes, settings, admission);
        try {
            base = Files.createTempDirectory("weir-express");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tomcat.setBaseDir(base.toString());
        Connector connector = new Connector(protocol);
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        context = tomcat.addContext("", base.toString());
        ((StandardHost) tomcat.getHost()).setErrorReportValveClass(StatusReport.class.getName());
        filter(context, this.routes);
        servlet(context, new Echo());
    }

    static LaneTomcat of(
            List<ExpressRoute<?, ?>> routes,
            PortLaneSettings settings,
            Admission admission,
            boolean laneOn,
            Consumer<LaneTomcat> more) {
        LaneTomcat server = new LaneTomcat(routes, settings, admission);
        more.accept(server);
        if (laneOn) {
            server.protocol.serve(server.lane, server.tomcat.getConnector());
        }
        try {
            server.tomcat.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
        return server;
    }

    static LaneTomcat on(ExpressRoute<?, ?>... routes) {
        return of(List.of(routes), settings(1), Admission.open(), true, server -> {});
    }

    static PortLaneSettings settings(int pollers) {
        return new PortLaneSettings(pollers, List.of(), 4 << 20, true, Duration.ofSeconds(5));
    }

    int port() {
        return tomcat.getConnector().getLocalPort();
    }

    /** Answers of the poller. */
    long answered() {
        return routes.all().stream()
                .mapToLong(route ->
                        route.counts().requests(Lane.PORT, 200) + route.counts().requests(Lane.PORT, 304))
                .sum();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void filter(Context context, ExpressRoutes routes) {
        FilterDef definition = new FilterDef();
        definition.setFilterName("express");
        definition.setFilter(new ExpressFilter(routes));
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName("express");
        map.addURLPattern("/*");
        context.addFilterMap(map);
    }

    private static void servlet(Context context, Servlet servlet) {
        Tomcat.addServlet(context, "echo", servlet);
        ((Wrapper) context.findChild("echo")).addMapping("/");
    }

    /**
     * Tells the status alone. Tomcat's report has the parser's stack in it, whose line numbers tell where in the bytes it had
     * to wait, and looks for a translation anew each time, which took most of the time of a run.
     */
    public static final class StatusReport extends ErrorReportValve {

        @Override
        protected void report(Request request, Response response, Throwable failure) {
            if (response.getStatus() < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
                return;
            }
            try {
                response.setContentType("text/plain");
                response.getReporter().write("status " + response.getStatus());
                response.finishResponse();
            } catch (IOException gone) {
                // The client has gone; there is nobody to tell.
            }
        }
    }

    /** Tells the request as the application sees it. */
    private static final class Echo extends HttpServlet {

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            StringBuilder told = new StringBuilder()
                    .append(request.getMethod())
                    .append(' ')
                    .append(request.getRequestURI())
                    .append('?')
                    .append(request.getQueryString())
                    .append('\n');
            TreeMap<String, List<String>> headers = new TreeMap<>();
            Collections.list(request.getHeaderNames())
                    .forEach(name -> headers.put(name, Collections.list(request.getHeaders(name))));
            told.append(headers).append('\n');
            try {
                told.append(request.getInputStream().readAllBytes().length);
            } catch (IOException broken) {
                told.append("body broken");
            }
            byte[] body = told.toString().getBytes(StandardCharsets.UTF_8);
            response.setContentType("text/plain");
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }
}
