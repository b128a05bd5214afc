package dev.weir.starter.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.shed.Admission;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.pool.PoolAutoConfiguration;
import dev.weir.starter.route.RouteAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

class ShedAutoConfigurationTest {

    private static final AutoConfigurations OURS =
            AutoConfigurations.of(WeirAutoConfiguration.class, ShedAutoConfiguration.class);

    private final WebApplicationContextRunner web = new WebApplicationContextRunner().withConfiguration(OURS);

    @Test
    void isOffUnlessSet() {
        web.run(context -> {
            assertThat(context).doesNotHaveBean(Admission.class);
            assertThat(context.getBean(ShedFeature.class).status().state()).isEqualTo(State.OFF);
        });
    }

    @Test
    void showsItsLimit() {
        web.withPropertyValues("weir.shed.enabled=true", "weir.shed.mode=fixed", "weir.shed.limit=7")
                .run(context -> {
                    assertThat(context.getBean(ShedFeature.class).status().state())
                            .isEqualTo(State.ON);
                    assertThat(context.getBean(ShedFeature.class).status().settings())
                            .containsEntry("limit", "7 requests")
                            .containsEntry("in flight", "0 requests");
                });
    }

    @Test
    void saysThatItNeedsServlets() {
        new ApplicationContextRunner()
                .withConfiguration(OURS)
                .withPropertyValues("weir.shed.enabled=true")
                .run(context -> assertThat(
                                context.getBean(ShedFeature.class).status().state())
                        .isEqualTo(State.UNAVAILABLE));
    }

    @ParameterizedTest
    @CsvSource({
        "weir.shed.mode=fixed;weir.shed.limit=0,weir.shed.limit",
        "weir.shed.adaptive.min=100,weir.shed.adaptive",
        "weir.shed.adaptive.healthy-latency=0s,weir.shed.adaptive",
        "weir.shed.queue.length=-1,weir.shed.queue",
        "weir.shed.queue.max-wait=0s,weir.shed.queue",
        "weir.shed.retry-after.least=20s,weir.shed.retry-after",
        "weir.shed.quota.per-second=-1,weir.shed.quota",
        "weir.shed.quota.per-second=NaN,weir.shed.quota",
        "weir.shed.quota.prefix=a b,weir.shed.quota.prefix",
        "weir.shed.quota.per-second=5;weir.shed.quota.scope=cluster,weir.shed.quota.scope",
        "weir.shed.cohort-period=1ms,weir.shed.cohort-period",
        "weir.shed.trusted=10.0.0.0/33,weir.shed.trusted",
        "weir.shed.trusted=localhost,weir.shed.trusted",
        "weir.shed.exempt=/,weir.shed.exempt",
        "weir.shed.priority-header=a b,weir.shed.priority-header",
    })
    void anAbsurdSettingStopsTheStartWithItsName(String settings, String named) {
        web.withPropertyValues("weir.shed.enabled=true")
                .withPropertyValues(settings.split(";", -1))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(SettingException.class)
                        .hasMessageStartingWith(named + " "));
    }

    @Test
    void watchesThePoolsOfReplicasToo() {
        web.withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class, PoolAutoConfiguration.class, RouteAutoConfiguration.class))
                .withPropertyValues(
                        "weir.shed.enabled=true",
                        "weir.route.enabled=true",
                        "weir.route.replicas.one.url=jdbc:postgresql://127.0.0.1:2/none",
                        "weir.route.replicas.two.url=jdbc:postgresql://127.0.0.1:3/none",
                        "weir.route.sample-timeout=100ms",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                        "spring.datasource.username=someone",
                        "spring.datasource.password=secret",
                        "spring.datasource.hikari.initialization-fail-timeout=-1",
                        "spring.datasource.hikari.connection-timeout=300")
                .run(context -> {
                    PoolWaiters waiters = context.getBean(PoolWaiters.class);
                    assertThat(waiters.pools()).isEqualTo(3);
                    assertThat(waiters.getAsInt()).isZero();
                });
    }
}
