package dev.weir.lab.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.lab.check.CheckOutcome.Ending;
import dev.weir.lab.diagnose.Verdict.Cause;
import dev.weir.lab.engine.SilentPort;
import dev.weir.lab.knee.Capacity;
import dev.weir.lab.measure.SecondSample;
import dev.weir.lab.plan.RequestPlan;
import dev.weir.lab.plan.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks of real services in JVMs of their own. */
@Timeout(120)
class CheckIT {
    private static final Duration BUDGET = Duration.ofSeconds(20);
    private static final Duration ANSWER = Duration.ofSeconds(2);

    @Test
    void findsTheCeilingOfEightThreadsThatSleep20MillisecondsAndNamesThem() throws Exception {
        try (ServiceProcess service = ServiceProcess.start("8", "20")) {
            CheckOutcome outcome = check(service.port()).run();

            Capacity capacity = outcome.result().capacity();
            // 8 threads / 20 ms = 400/s at most; a loaded machine makes the sleep longer, never shorter.
            assertThat(capacity.lowPerSecond()).isBetween(200.0, 420.0);
            assertThat(capacity.highPerSecond()).isBetween(capacity.lowPerSecond(), 520.0);
            assertThat(capacity.limit()).isIn(Capacity.Limit.PLATEAU, Capacity.Limit.SLO);
            assertThat(outcome.result().service()).isNotNull();
            assertThat(outcome.result().steps()).isNotEmpty();
            assertThat(outcome.result().verdict().cause()).isIn(Cause.WORKER_THREADS, Cause.CPU, Cause.GENERATOR);
            assertThat(CheckJson.text(outcome.result())).contains("\"low\"", "\"limit\" : \"", "\"cause\" : \"");
        }
    }

    @Test
    void endsWithWhatItKnowsWhereTheServiceDies() throws Exception {
        try (ServiceProcess service = ServiceProcess.start("8", "1", "die", "5000")) {
            CheckOutcome outcome = check(service.port()).run();

            assertThat(outcome.ending()).isEqualTo(Ending.SERVICE_LOST);
            assertThat(outcome.why()).contains("stopped answering");
        }
    }

    @Test
    void endsWhereTheServiceFreezesForGood() throws Exception {
        try (ServiceProcess service = ServiceProcess.start("8", "1", "freeze", "5000")) {
            CheckConfig impatient = config(service.port()).within(BUDGET, Duration.ZERO, Duration.ofSeconds(1));

            CheckOutcome outcome = new Check(impatient, CheckListener.silent()).run();

            assertThat(outcome.ending()).isEqualTo(Ending.SERVICE_LOST);
        }
    }

    @Test
    void saysInOneSentenceThatNothingAnswers() throws Exception {
        try (SilentPort closed = SilentPort.take()) {
            assertThatThrownBy(() -> check(closed.number()).run())
                    .isInstanceOf(CheckFailedException.class)
                    .hasMessageContaining("answers nothing")
                    .hasMessageContaining(Integer.toString(closed.number()));
        }
    }

    @Test
    void givesWhatIsKnownWhenStopped() throws Exception {
        try (ServiceProcess service = ServiceProcess.start("8", "5")) {
            AtomicReference<Check> started = new AtomicReference<>();
            Check check = new Check(config(service.port()), new CheckListener() {
                @Override
                public void says(String line) {
                    if (line.startsWith("step 1")) {
                        started.get().stop();
                    }
                }

                @Override
                public void second(SecondSample second) {}
            });
            started.set(check);

            CheckOutcome outcome = check.run();

            assertThat(outcome.ending()).isEqualTo(Ending.STOPPED);
            assertThat(outcome.result().steps()).hasSize(1);
        }
    }

    private static Check check(int port) {
        return new Check(config(port), CheckListener.silent());
    }

    private static CheckConfig config(int port) {
        Target target = Target.parse("http://127.0.0.1:" + port + "/");
        return CheckConfig.of(RequestPlan.get(target), new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 7)
                .within(BUDGET, Duration.ZERO, ANSWER);
    }
}
