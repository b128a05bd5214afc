package dev.weir.starter.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.weir.starter.FeatureStatus;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

class PoolAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    WeirAutoConfiguration.class, DataSourceAutoConfiguration.class, PoolAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none");

    @Test
    void offChangesNothing() {
        runner.run(context -> {
            HikariDataSource pool = context.getBean(HikariDataSource.class);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(new HikariDataSource().getMaximumPoolSize());
            assertThat(context.getBean(PoolFeature.class).status().state()).isEqualTo(State.OFF);
        });
    }

    @Test
    void offAsksNothingAndWarnsOfNothing() {
        runner.withPropertyValues("spring.datasource.hikari.maximum-pool-size=50", "weir.pool.max-connections=20")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(PoolCheck.class).doesNotHaveBean(PoolPostProcessor.class);
                    assertThat(context.getBean(PoolFeature.class).status()).isEqualTo(FeatureStatus.off());
                });
    }

    @Test
    void onAppliesTheSettingsOfThePlatform() {
        on().run(context -> {
            HikariDataSource pool = context.getBean(HikariDataSource.class);
            assertThat(pool.getMaximumPoolSize()).isEqualTo(10);
            assertThat(pool.getMinimumIdle()).isEqualTo(10);
            assertThat(pool.getConnectionTimeout()).isEqualTo(3_000);
            assertThat(pool.getLeakDetectionThreshold()).isEqualTo(30_000);
            assertThat(pool.getIdleTimeout()).isEqualTo(600_000);
            assertThat(pool.getMaxLifetime()).isEqualTo(1_800_000);
            assertThat(context.getBean(PoolFeature.class).status().settings()).containsEntry("size", "10");
        });
    }

    @Test
    void whatTheOwnerSetStaysAlsoWhenItEqualsTheDefault() {
        on("spring.datasource.hikari.maximum-pool-size=7", "spring.datasource.hikari.connectionTimeout=30000")
                .run(context -> {
                    HikariDataSource pool = context.getBean(HikariDataSource.class);
                    assertThat(pool.getMaximumPoolSize()).isEqualTo(7);
                    assertThat(pool.getMinimumIdle()).isEqualTo(7);
                    assertThat(pool.getConnectionTimeout()).isEqualTo(30_000);
                    assertThat(context.getBean(PoolFeature.class).status().settings())
                            .containsEntry("left to spring.datasource.hikari", "maximum-pool-size connection-timeout");
                });
    }

    @Test
    void theFormulaSizesThePoolByTheDatabasesCores() {
        on("weir.pool.database-cores=16", "weir.pool.effective-spindles=2").run(size(34));
    }

    @Test
    void noPoolIsLargerThanItsShareOfTheServer() {
        on("weir.pool.max-connections=100", "weir.pool.reserved-connections=4", "weir.pool.instances=12")
                .run(size(8));
    }

    @Test
    void aPoolLargerThanItsShareIsWarnedOf() {
        on("spring.datasource.hikari.maximum-pool-size=50", "weir.pool.max-connections=100", "weir.pool.instances=3")
                .run(context -> assertThat(
                                context.getBean(PoolFeature.class).status().warnings())
                        .singleElement()
                        .asString()
                        .contains("The pool has 50 connections")
                        .contains("97 shared by 3 instances are 32 each"));
    }

    @Test
    void aBudgetThatLeavesAnInstanceNothingIsRefused() {
        on("weir.pool.max-connections=10", "weir.pool.instances=8")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseMessage("weir.pool.max-connections is '10': it must be at least 11,"
                                + " one for each of 8 instances beside 3 reserved."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "size=0 | weir.pool.size is '0': it must be from 1 to 10000.",
                "instances=100000 | weir.pool.instances is '100000'",
                "database-cores=0 | weir.pool.database-cores is '0'",
                "connection-timeout=100ms | weir.pool.connection-timeout is '100ms': it must be from 250ms to 10m.",
                "connection-timeout=1d | weir.pool.connection-timeout is '1d'",
                "idle-timeout=-1s | weir.pool.idle-timeout is '-1s'",
                "idle-timeout=1s | weir.pool.idle-timeout is '1s': it must be from 10s",
                "leak-detection-threshold=1s | weir.pool.leak-detection-threshold is '1s'",
                "leak-detection-threshold=2h | weir.pool.leak-detection-threshold is '2h': it must be from 2s to 30m.",
                "max-lifetime=100000000000000d | weir.pool.max-lifetime is '100000000000000d'",
                "max-lifetime=10s | weir.pool.max-lifetime is '10s'",
                "max-lifetime=90d | weir.pool.max-lifetime is '90d'",
            })
    void whatHikariWouldCorrectIsRefused(String setting, String sentence) {
        on("weir.pool." + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(SettingException.class)
                        .hasMessageStartingWith(sentence));
    }

    @Test
    void noTimeAtAllIsPossibleWhereHikariKnowsIt() {
        on("weir.pool.leak-detection-threshold=0", "weir.pool.idle-timeout=0").run(context -> {
            HikariDataSource pool = context.getBean(HikariDataSource.class);
            assertThat(pool.getLeakDetectionThreshold()).isZero();
            assertThat(pool.getIdleTimeout()).isZero();
        });
    }

    @Test
    void aPoolOfTheUsersOwnIsSizedWhereItSaysNothing() {
        on().withBean("dataSource", HikariDataSource.class, () -> {
                    var pool = new HikariDataSource();
                    pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/none");
                    pool.setMaximumPoolSize(3);
                    return pool;
                })
                .run(context -> {
                    HikariDataSource pool = context.getBean(HikariDataSource.class);
                    assertThat(pool.getMaximumPoolSize()).isEqualTo(3);
                    assertThat(pool.getConnectionTimeout()).isEqualTo(3_000);
                });
    }

    @Test
    void withoutHikariThereIsNothing() {
        on().withClassLoader(new FilteredClassLoader(HikariDataSource.class))
                .run(context -> assertThat(context).doesNotHaveBean(PoolFeature.class));
    }

    private ApplicationContextRunner on(String... more) {
        return runner.withPropertyValues("weir.pool.enabled=true").withPropertyValues(more);
    }

    private static ContextConsumer<AssertableApplicationContext> size(int expected) {
        return context -> assertThat(context.getBean(HikariDataSource.class).getMaximumPoolSize())
                .isEqualTo(expected);
    }
}
