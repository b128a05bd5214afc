package dev.weir.starter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ConditionalOnSwitchTest {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Switched.class);

    @ParameterizedTest
    @CsvSource({
        "true,on",
        "TRUE,on",
        "on,on",
        "yes,on",
        "1,on",
        "false,off",
        "off,off",
        "no,off",
        "0,off",
        "'',off",
    })
    void aSwitchIsReadAsItsPropertyIs(String value, String state) {
        runner.withPropertyValues("sample.enabled=" + value)
                .run(context -> assertThat(context.getBean(String.class)).isEqualTo(state));
    }

    @Configuration(proxyBeanMethods = false)
    static class Switched {

        @Bean
        @ConditionalOnSwitch("sample.enabled")
        String whenOn() {
            return "on";
        }

        @Bean
        @ConditionalOnSwitch(value = "sample.enabled", is = false)
        String whenOff() {
            return "off";
        }
    }
}
