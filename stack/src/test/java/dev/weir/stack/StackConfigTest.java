package dev.weir.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StackConfigTest {
    private final StackConfig config = StackConfig.defaults();

    @Test
    void refusesFiveStandbys() {
        assertThat(config.withStandbys(4).standbys()).isEqualTo(4);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withStandbys(5))
                .withMessage("5 standbys were asked for; 0 to 4 are possible.");
    }

    @Test
    void refusesToSwitchDurabilityOff() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withPostgresSetting("fsync", "off"))
                .withMessage("The PostgreSQL setting fsync belongs to the stack and cannot be changed.");
    }

    @Test
    void refusesWhatIsNoSetting() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withPostgresSetting("max connections", "5"))
                .withMessage("'max connections' is no name of a PostgreSQL setting; write it like max_connections.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withPostgresSetting("work_mem", "1MB\nfsync=off"))
                .withMessage("The value of the PostgreSQL setting work_mem contains a control character.");
    }

    @Test
    void refusesKafkaSettingsThatTheStackDependsOn() {
        assertThat(config.withKafkaSetting("auto.create.topics.enable", "false").kafkaSettings())
                .containsEntry("auto.create.topics.enable", "false");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withKafkaSetting("log.dirs", "/tmp"))
                .withMessage("The Kafka setting log.dirs belongs to the stack and cannot be changed.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withKafkaSetting("Num Partitions", "1"))
                .withMessage(
                        "'Num Partitions' is no name of a Kafka setting; write it like auto.create.topics.enable.");
    }

    @Test
    void refusesPortsThatDoNotExist() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PortPlan(0, 0, 70_000, 0))
                .withMessage("Port 70000 for Redis is not possible; give 1 to 65535, or 0 for a free one.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withStandbys(2).withPorts(new PortPlan(0, 65_535, 0, 0)))
                .withMessage("From port 65535 on there is no room for 2 standbys; the highest port is 65535.");
    }

    @Test
    void refusesATimeoutThatIsTooLong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config.withStartTimeout(Duration.ofHours(1)))
                .withMessage("The start timeout is PT1H; it must lie between 1 second and 10 minutes.");
    }
}
