package dev.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** What a start says about values that cannot be used. */
@ExtendWith(OutputCaptureExtension.class)
class BadSettingsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--weir.sample.enabled=maybe | weir.sample.enabled is 'maybe' | it must be true or false.",
                "--weir.sample.pause=soon | weir.sample.pause is 'soon' | a duration with its unit, such as 20ms or 30s.",
                "--weir.sample.limit=9 per hour | weir.sample.limit is '9 per hour' | such as 500/s, 10k/s or 1.5M/s.",
                "--weir.sample.mood=angry | weir.sample.mood is 'angry' | one of calm, very-calm.",
                "--weir.sample.pause=-1s | weir.sample.pause is '-1s' | a duration above 0.",
                "--weir.sample.pause= | weir.sample.pause is '' (from | it must have a value.",
                "--weir.sample.mood= | weir.sample.mood is '' (from | it must have a value.",
                "--weir.sample.puase=1s | There is no setting weir.sample.puase (from | ; the nearest is weir.sample.pause",
            })
    void aValueThatCannotBeUsedIsNamedWithWhatIsAllowed(
            String argument, String given, String allowed, CapturedOutput output) {
        var application = new SpringApplication(Service.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        assertThatThrownBy(() -> application.run("--spring.main.banner-mode=off", argument))
                .isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(given)
                .contains(allowed)
                .contains("Action:")
                .doesNotContain("\tat ");
    }

    @Test
    void goodValuesAreBound() {
        var application = new SpringApplication(Service.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        try (var context = application.run("--spring.main.banner-mode=off", "--weir.sample.limit=1.5k/s")) {
            assertThat(context.getBean(Sample.class).limit()).isEqualTo(new Rate(1500));
        }
    }

    @ConfigurationProperties(prefix = "weir.sample", ignoreUnknownFields = false)
    record Sample(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("1s") Duration pause,
            @DefaultValue("500/s") Rate limit,
            @DefaultValue("calm") Mood mood) {

        Sample {
            if (pause.isNegative()) {
                throw new SettingException(
                        "weir.sample.pause", "-1s", "a duration above 0", "Give one, or remove the setting.");
            }
        }
    }

    enum Mood {
        CALM,
        VERY_CALM
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(Sample.class)
    static class Service {}
}
