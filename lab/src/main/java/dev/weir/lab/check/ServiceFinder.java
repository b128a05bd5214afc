package dev.weir.lab.check;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.collect.ServiceWatch;
import dev.weir.lab.host.ListeningProcess;
import dev.weir.lab.host.PortOwner;
import dev.weir.lab.host.ProcessName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the service's processes and begins to watch them. */
final class ServiceFinder {

    /** The watch over the processes that were given, or that listen where the load goes. */
    static Watch watch(CheckConfig config) {
        if (!config.pids().isEmpty()) {
            return open(config, config.pids());
        }
        return switch (ListeningProcess.onThisMachine()
                .find(
                        config.address().getAddress().getHostAddress(),
                        config.address().getPort())) {
            case PortOwner.Found(List<Long> pids) -> open(config, pids);
            case PortOwner.NotFound(String reason) -> Watch.blind(reason);
        };
    }

    private static Watch open(CheckConfig config, List<Long> pids) {
        ServiceWatch watch = ServiceWatch.open(pids, config.address());
        CheckResult.Service service = new CheckResult.Service(
                pids.getFirst(), ProcessName.of(pids.getFirst()), watch.jvm().orElse(null));
        return new Watch() {
            @Override
            public void begin() {
                watch.begin();
            }

            @Override
            public @Nullable ServiceSample end() {
                return watch.end();
            }

            @Override
            public CheckResult.@Nullable Service service() {
                return service;
            }

            @Override
            public List<String> missing() {
                return watch.missing();
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }

    private ServiceFinder() {}
}
