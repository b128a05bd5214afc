package dev.weir.lab.check;

import dev.weir.lab.collect.ServiceSample;
import dev.weir.lab.collect.ServiceWatch;
import dev.weir.lab.host.ListeningProcess;
import dev.weir.lab.host.PortOwner;
import java.util.List;
import java.util.Optional;
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
                pids.getFirst(), name(pids.getFirst()), watch.jvm().orElse(null));
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

    /** The program's file name, with the main class or jar where it is Java. */
    private static String name(long pid) {
        return ProcessHandle.of(pid)
                .map(ProcessHandle::info)
                .map(info -> info.command().map(ServiceFinder::fileName).orElse("unknown")
                        + info.arguments()
                                .flatMap(ServiceFinder::program)
                                .map(main -> " " + main)
                                .orElse(""))
                .orElse("unknown");
    }

    private static Optional<String> program(String[] arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("-jar") && i + 1 < arguments.length) {
                return Optional.of(fileName(arguments[i + 1]));
            }
            boolean takesValue = List.of("-cp", "-classpath", "--class-path", "-p", "--module-path")
                    .contains(arguments[i]);
            if (takesValue) {
                i++;
            } else if (!arguments[i].startsWith("-") && !arguments[i].startsWith("@")) {
                return Optional.of(fileName(arguments[i]));
            }
        }
        return Optional.empty();
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private ServiceFinder() {}
}
