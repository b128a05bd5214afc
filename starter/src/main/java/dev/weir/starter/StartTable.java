package dev.weir.starter;

import dev.weir.starter.FeatureStatus.State;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Logs once, when the application is ready, what each feature does; every warning again as a line of its own. */
final class StartTable implements ApplicationListener<ApplicationReadyEvent> {

    private static final Logger log = LoggerFactory.getLogger("dev.weir");

    private final Features features;

    StartTable(Features features) {
        this.features = features;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        List<Features.Entry> entries = features.now();
        log.info("Weir's features:{}", render(entries));
        for (Features.Entry entry : entries) {
            for (String warning : entry.status().warnings()) {
                log.warn("weir.{}: {}", entry.name(), warning);
            }
        }
    }

    /** One line a feature, each beginning with a line break. */
    static String render(List<Features.Entry> entries) {
        if (entries.isEmpty()) {
            return " none";
        }
        int width =
                entries.stream().mapToInt(entry -> entry.name().length()).max().orElse(0);
        return entries.stream().map(entry -> line(entry, width)).collect(Collectors.joining());
    }

    private static String line(Features.Entry entry, int width) {
        String line = "%n  %-" + width + "s  %-11s  %s";
        return line.formatted(entry.name(), state(entry.status().state()), settings(entry.status()))
                .stripTrailing();
    }

    /** How a state reads, here and in the endpoint: {@code on}, {@code dry run}. */
    static String state(State state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String settings(FeatureStatus status) {
        String settings =
                status.settings().entrySet().stream().map(StartTable::setting).collect(Collectors.joining(", "));
        int warnings = status.warnings().size();
        if (warnings == 0) {
            return settings;
        }
        String count = warnings == 1 ? "(1 warning)" : "(" + warnings + " warnings)";
        return settings.isEmpty() ? count : settings + " " + count;
    }

    private static String setting(Map.Entry<String, String> setting) {
        return setting.getKey() + "=" + setting.getValue();
    }
}
