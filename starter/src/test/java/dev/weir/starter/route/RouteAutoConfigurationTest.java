package dev.weir.starter.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.Features;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.WeirFeature;
import dev.weir.starter.pool.PoolAutoConfiguration;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/** What the configuration makes of its settings; no server is there to answer. */
class RouteAutoConfigurationTest {

    private static final String REPLICA = "weir.route.replicas.one.url=jdbc:postgresql://127.0.0.1:2/none";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    WeirAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    PoolAutoConfiguration.class,
                    RouteAutoConfiguration.class))
            .withPropertyValues(
                    "spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
                    "spring.datasource.username=someone",
                    "spring.datasource.password=secret",
                    "spring.datasource.hikari.initialization-fail-timeout=-1",
                    "spring.datasource.hikari.connection-timeout=300",
                    "weir.route.sample-timeout=100ms");

    @Test
    void offChangesNothingAndIsShown() {
        runner.run(context -> {
            assertThat(context.getBean(DataSource.class)).isInstanceOf(HikariDataSource.class);
            assertThat(state(context)).isEqualTo(State.OFF);
        });
    }

    @Test
    void onPutsTheLazyProxyBeforeThePoolAndKeepsThePoolReachable() {
        on(REPLICA).run(context -> {
            DataSource source = context.getBean(DataSource.class);
            assertThat(source).isInstanceOf(LazyConnectionDataSourceProxy.class);
            assertThat(DataSourceUnwrapper.unwrap(source, HikariConfigMXBean.class, HikariDataSource.class))
                    .isNotNull()
                    .extracting(HikariDataSource::getJdbcUrl)
                    .isEqualTo("jdbc:postgresql://127.0.0.1:1/none");
            assertThat(state(context)).isEqualTo(State.ON);
        });
    }

    @Test
    void aReplicaThatCannotBeReachedIsWarnedOfWithTheReasonAndTheSetting() {
        on(REPLICA).run(context -> {
            context.getBean(DataSource.class);
            var feature = context.getBean(RouteFeature.class);
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (replicaWarnings(feature).isEmpty() && System.nanoTime() < deadline) {
                LockSupport.parkNanos(10_000_000);
            }
            assertThat(replicaWarnings(feature))
                    .singleElement()
                    .asString()
                    .contains("Replica one takes no reads")
                    .contains("refused")
                    .contains("weir.route.replicas.one.url");
        });
    }

    @Test
    void bootsOwnLazyProxyIsReplaced() {
        on(REPLICA, "spring.datasource.connection-fetch=lazy")
                .run(context ->
                        assertThat(context.getBean(Routing.class).router()).isNotNull());
    }

    @Test
    void aReplicaTakesItsSettingsFromThePrimaryAndItsOwnOverThem() {
        on(
                        REPLICA,
                        "weir.pool.enabled=true",
                        "spring.datasource.hikari.schema=shop",
                        "weir.route.replicas.one.password=other",
                        "weir.route.replicas.one.hikari.maximum-pool-size=4",
                        "weir.route.replicas.one.hikari.data-source-properties.sslmode=disable")
                .run(context -> {
                    HikariDataSource pool = onlyReplica(context);
                    assertThat(pool.getJdbcUrl()).isEqualTo("jdbc:postgresql://127.0.0.1:2/none");
                    assertThat(pool.getCredentials().getUsername()).isEqualTo("someone");
                    assertThat(pool.getCredentials().getPassword()).isEqualTo("other");
                    assertThat(pool.getSchema()).isEqualTo("shop");
                    assertThat(pool.getMaximumPoolSize()).isEqualTo(4);
                    assertThat(pool.getMinimumIdle()).isEqualTo(4);
                    assertThat(pool.getLeakDetectionThreshold()).isEqualTo(30_000);
                    assertThat(pool.isReadOnly()).isTrue();
                    assertThat(pool.getPoolName()).isEqualTo("one");
                    assertThat(pool.getDataSourceProperties()).containsEntry("sslmode", "disable");
                });
    }

    @Test
    void aReplicaMayHaveAnyPlainName() {
        on(
                        "weir.route.replicas.Berlin_2.url=jdbc:postgresql://127.0.0.1:2/none",
                        "weir.route.replicas.Berlin_2.hikari.maximum-pool-size=4",
                        "weir.route.replicas.Berlin_2.hikari.connection-timeout=2500")
                .run(context -> {
                    assertThat(onlyReplica(context).getMaximumPoolSize()).isEqualTo(4);
                    assertThat(onlyReplica(context).getConnectionTimeout()).isEqualTo(2_500);
                    assertThat(onlyReplica(context).getPoolName()).isEqualTo("Berlin_2");
                });
        refused("named by letters, digits", "weir.route.replicas.[a.b].url=jdbc:postgresql://127.0.0.1:2/none");
    }

    @Test
    void aDryRunIsShownAsOneAndConnectsToNoReplica() {
        on(REPLICA, "weir.route.mode=dry-run").run(context -> {
            assertThat(state(context)).isEqualTo(State.DRY_RUN);
            assertThat(onlyReplica(context).getMinimumIdle()).isZero();
        });
    }

    @Test
    void withoutReplicasThereIsNothingToRoute() {
        on().run(context -> {
            assertThat(context.getBean(DataSource.class)).isInstanceOf(HikariDataSource.class);
            assertThat(state(context)).isEqualTo(State.UNAVAILABLE);
            assertThat(warnings(context))
                    .containsExactly("No replica is configured: set weir.route.replicas.<name>.url.");
        });
    }

    @Test
    void aDataSourceThatIsNoPoolIsLeftAlone() {
        on(REPLICA)
                .withBean("dataSource", DataSource.class, DelegatingDataSourceOfTheUser::new)
                .run(context -> {
                    assertThat(context.getBean(DataSource.class)).isInstanceOf(DelegatingDataSourceOfTheUser.class);
                    assertThat(state(context)).isEqualTo(State.UNAVAILABLE);
                    assertThat(warnings(context)).singleElement().asString().contains("in a bean named dataSource");
                });
    }

    @Test
    void openSessionInViewIsWarnedOf() {
        on(REPLICA)
                .withBean("openEntityManagerInViewInterceptor", Object.class, Object::new)
                .run(context ->
                        assertThat(warnings(context)).anyMatch(warning -> warning.startsWith("Open-session-in-view")));
    }

    @Test
    void withoutHikariThereIsNothing() {
        on(REPLICA)
                .withClassLoader(new FilteredClassLoader(HikariDataSource.class))
                .run(context -> assertThat(context).doesNotHaveBean(WeirFeature.class));
    }

    @Test
    void withoutHikariTheTableSaysWhatIsMissing() {
        on(REPLICA)
                .withClassLoader(new FilteredClassLoader(HikariDataSource.class))
                .run(context -> assertThat(context.getBean(Features.class).now())
                        .singleElement()
                        .satisfies(route -> assertThat(route.status().state()).isEqualTo(State.UNAVAILABLE))
                        .satisfies(route -> assertThat(route.status().warnings())
                                .singleElement()
                                .asString()
                                .startsWith("It needs HikariCP")));
    }

    @Test
    void badSettingsAreNamed() {
        refused("weir.route.replicas.one.url is ''", "weir.route.replicas.one.weight=1");
        refused("weir.route.replicas.one.url is 'jdbc:mysql:x'", "weir.route.replicas.one.url=jdbc:mysql:x");
        refused("weir.route.replicas.one.weight is '0.0'", REPLICA, "weir.route.replicas.one.weight=0");
        refused("at least twice weir.route.max-lag", "weir.route.max-lag=4m");
        refused("weir.route.session.key is '(5 characters)'", "weir.route.session.key=short");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sample-interval=1m | weir.route.sample-interval is 1m; it must lie between 5ms and 10s.",
                "sample-timeout=40d | weir.route.sample-timeout is 40d; it must lie between 10ms and 1m.",
                "replay-wait=-1ms | weir.route.replay-wait is -1ms",
                "replay-wait=2m | weir.route.replay-wait is 2m",
                "fallback.max-wait=2m | weir.route.fallback.max-wait is 2m",
                "fallback.max-concurrent=-1 | fallback.max-concurrent is -1",
                "max-lag=1ms | weir.route.max-lag is 1ms",
                "max-lag=400d | weir.route.max-lag is 400d",
                "max-lag-bytes=0B | max-lag-bytes is 0",
                "slow-start=1d | weir.route.slow-start is 1d",
                "eject-after=0 | eject-after is 0",
                "readmit-after=5000 | readmit-after is 5000",
                "session.max-age=3s | weir.route.session.max-age is '3s': it must be from 10s",
                "max-lag=100000000000000d | weir.route.max-lag is 100000000000000d; it must lie between 10ms and 1d.",
                "session.max-age=4000d | weir.route.session.max-age is",
                "session.cookie=weir route | weir.route.session.cookie is 'weir route': it must be the name of a cookie",
                "session.cookie=a=b | weir.route.session.cookie is 'a=b'",
                "session.header=Weir-Route: | weir.route.session.header is 'Weir-Route:': it must be the name of a header",
                "session.header=Wéir | weir.route.session.header is 'Wéir'",
                "replicas.one.url=jdbc:postgresql://one:port/shop?password=x | weir.route.replicas.one.url is 'jdbc:postgresql://one:port/shop': it",
                "replicas.one.weight=NaN | weir.route.replicas.one.weight is 'NaN'",
                "replicas.one.weight=1e300 | weir.route.replicas.one.weight is '1.0E300'",
                "data-source=  | weir.route.data-source is ''",
            })
    void valuesThatCannotBeUsedAreRefusedWhenTheyAreBound(String setting, String sentence) {
        on(REPLICA, "weir.route." + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("ConfigurationPropertiesBindException")
                        .hasStackTraceContaining(sentence));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql:shop",
                "jdbc:postgresql://one/shop",
                "jdbc:postgresql://one:5432,two:5432/shop?targetServerType=secondary",
                "jdbc:postgresql://[::1]:5432/shop",
            })
    void everyAddressThatTheDriverTakesIsOne(String url) {
        on("weir.route.replicas.one.url=" + url)
                .run(context -> assertThat(onlyReplica(context).getJdbcUrl()).isEqualTo(url));
    }

    @Test
    void cachesLearnHowOldAReadMayBe() {
        on(REPLICA, "weir.route.sample-timeout=2s")
                .run(context -> assertThat(context.getBean(ReplicaStaleness.class))
                        .isEqualTo(new ReplicaStaleness(Duration.ofMillis(13_300))));
        on(REPLICA, "weir.route.mode=dry-run")
                .run(context -> assertThat(context.getBean(ReplicaStaleness.class))
                        .isEqualTo(new ReplicaStaleness(Duration.ZERO)));
        runner.run(context -> assertThat(context).doesNotHaveBean(ReplicaStaleness.class));
    }

    @Test
    void anUnknownSettingOfAReplicasPoolIsNamed() {
        on(REPLICA, "weir.route.replicas.one.hikari.maximum-pool-sise=4")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("weir.route.replicas.one.hikari.maximum-pool-sise"));
    }

    @Test
    void theLagOfAReplicaThatNeverAnsweredIsUnknown() {
        on(REPLICA).run(context -> {
            context.getBean(DataSource.class);
            assertThat(feature(context).status().settings().get("one")).contains("lag unknown");
            var registry = new SimpleMeterRegistry();
            context.getBean("weirRouteMeters", MeterBinder.class).bindTo(registry);
            assertThat(registry.get("weir.route.replica.lag").gauge().value()).isNaN();
        });
    }

    private void refused(String sentence, String... settings) {
        on(settings).run(context -> assertThat(context).getFailure().hasStackTraceContaining(sentence));
    }

    private ApplicationContextRunner on(String... settings) {
        return runner.withPropertyValues("weir.route.enabled=true").withPropertyValues(settings);
    }

    private static HikariDataSource onlyReplica(AssertableApplicationContext context) {
        List<HikariDataSource> pools = new ArrayList<>();
        context.getBean(Routing.class).eachPool(pools::add);
        assertThat(pools).hasSize(1);
        return pools.getFirst();
    }

    private static State state(AssertableApplicationContext context) {
        return feature(context).status().state();
    }

    private static List<String> warnings(AssertableApplicationContext context) {
        return feature(context).status().warnings();
    }

    private static WeirFeature feature(AssertableApplicationContext context) {
        return Objects.requireNonNull(context.getBeansOfType(WeirFeature.class).values().stream()
                .filter(feature -> feature.name().equals("route"))
                .findFirst()
                .orElse(null));
    }

    static final class DelegatingDataSourceOfTheUser extends DelegatingDataSource {

        @Override
        public void afterPropertiesSet() {
            // Has no target, which nobody asks for here.
        }
    }

    private static List<String> replicaWarnings(RouteFeature feature) {
        return feature.status().warnings().stream()
                .filter(warning -> warning.startsWith("Replica"))
                .toList();
    }
}
