package dev.weir.lab.compare;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Starts a {@link ToyService} as Weir would, prints its process id, and waits to be killed. */
final class WeirStandIn {

    public static void main(String[] arguments) throws ServiceFailure, InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        ServiceProcess service = ServiceProcess.start(new ServiceStart(
                "toy",
                ToyService.command("--port=" + port),
                Map.of(),
                Path.of("."),
                URI.create("http://127.0.0.1:" + port + "/"),
                Duration.ofSeconds(30),
                Path.of(arguments[1])));
        System.out.println("service " + service.pid());
        new CountDownLatch(1).await();
    }

    private WeirStandIn() {}
}
