package dev.weir.lab.compare;

import dev.weir.lab.host.ListeningProcess;
import dev.weir.lab.host.PortOwner;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A service that runs already and is only put under load: its start and its warm-up before the comparison are beyond
 * control.
 *
 * @param url an http or https URL
 */
public record RunningService(String url) implements Contender {

    @Override
    public String name() {
        return url;
    }

    @Override
    public String description() {
        return url + " (runs already, not restarted)";
    }

    @Override
    public boolean restarts() {
        return false;
    }

    @Override
    public Subject open(Path logFile) {
        List<ProcessHandle> processes = processes();
        return new Subject() {
            @Override
            public String url() {
                return url;
            }

            @Override
            public Optional<Duration> cpuTime() {
                return processes.stream()
                        .flatMap(process -> process.info().totalCpuDuration().stream())
                        .reduce(Duration::plus);
            }

            @Override
            public void close() {
                // It was there before Weir and stays.
            }
        };
    }

    private List<ProcessHandle> processes() {
        URI uri = URI.create(url);
        int port = uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
        return ListeningProcess.onThisMachine().find(uri.getHost(), port) instanceof PortOwner.Found found
                ? found.pids().stream()
                        .flatMap(pid -> ProcessHandle.of(pid).stream())
                        .toList()
                : List.of();
    }
}
