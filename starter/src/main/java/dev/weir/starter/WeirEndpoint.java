package dev.weir.starter;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The table of the start, live. */
@Endpoint(id = "weir")
final class WeirEndpoint {

    /**
     * All features.
     *
     * @param features by name, in alphabetical order
     */
    record Answer(Map<String, Feature> features) {}

    /**
     * One feature.
     *
     * @param state on, off, dry run or unavailable
     * @param settings the settings and figures that matter, values with their unit
     * @param warnings whole sentences
     */
    record Feature(String state, Map<String, String> settings, List<String> warnings) {}

    private final Features features;

    WeirEndpoint(Features features) {
        this.features = features;
    }

    @ReadOperation
    Answer features() {
        Map<String, Feature> answer = new LinkedHashMap<>();
        for (Features.Entry entry : features.now()) {
            FeatureStatus status = entry.status();
            answer.put(
                    entry.name(), new Feature(StartTable.state(status.state()), status.settings(), status.warnings()));
        }
        return new Answer(answer);
    }
}
