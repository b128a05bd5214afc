package dev.weir.lab.collect;

import com.sun.net.httpserver.HttpServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * Services to watch, each in a process of its own: prints its port and serves until its standard input ends, so that it
 * never outlives the test.
 */
final class WatchedService {
    private static final byte[] BODY = {'o', 'k', '\n'};
    private static final ReentrantLock LOCK = new ReentrantLock();

    private WatchedService() {}

    interface Work {
        void run() throws InterruptedException;
    }

    public static void main(String[] args) throws Exception {
        int port = args[0].equals("tomcat")
                ? tomcat(Integer.parseInt(args[2]), work(args[1]))
                : jdk(
                        args[0].equals("virtual")
                                ? Executors.newVirtualThreadPerTaskExecutor()
                                : Executors.newFixedThreadPool(Integer.parseInt(args[2])),
                        work(args[1]));
        System.out.println(port);
        System.in.transferTo(OutputStream.nullOutputStream());
        Runtime.getRuntime().halt(0);
    }

    private static Work work(String name) {
        return switch (name) {
            case "sleep" -> WatchedService::pause;
            case "spin" -> WatchedService::spin;
            case "lock" -> WatchedService::pauseUnderLock;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static void pause() throws InterruptedException {
        Thread.sleep(20);
    }

    private static void pauseUnderLock() throws InterruptedException {
        LOCK.lock();
        try {
            Thread.sleep(5);
        } finally {
            LOCK.unlock();
        }
    }

    private static void spin() {
        long end = System.nanoTime() + 5_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static int jdk(Executor executor, Work work) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", exchange -> {
            try (exchange) {
                work.run();
                exchange.sendResponseHeaders(200, BODY.length);
                exchange.getResponseBody().write(BODY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        return server.getAddress().getPort();
    }

    private static int tomcat(int threads, Work work) throws LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxThreads", Integer.toString(threads));
        tomcat.setConnector(connector);
        Tomcat.addServlet(tomcat.addContext("", null), "work", new WorkServlet(work))
                .addMapping("/");
        tomcat.start();
        return connector.getLocalPort();
    }

    private static final class WorkServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient Work work;

        private WorkServlet(Work work) {
            this.work = work;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                work.run();
                response.getOutputStream().write(BODY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
