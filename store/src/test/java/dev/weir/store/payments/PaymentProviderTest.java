package dev.weir.store.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.payments.ChargeOutcome.Busy;
import dev.weir.store.payments.ChargeOutcome.Charged;
import dev.weir.store.payments.ChargeOutcome.Declined;
import dev.weir.store.payments.ChargeOutcome.Unconfirmed;
import dev.weir.store.payments.ChargeOutcome.Unreachable;
import dev.weir.store.payments.ChargeOutcome.Withdrawn;
import dev.weir.store.provider.ProviderServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaymentProviderTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static ProviderServer server;

    private final String key = UUID.randomUUID().toString();

    @BeforeAll
    static void start() throws IOException {
        server = ProviderServer.start(0);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void answerAtOnce() {
        server.configure("{\"payments\": {\"latencyMillis\": 0, \"failureRate\": 0, \"declineRate\": 0}}");
    }

    @Test
    void aChargeIsMadeOnceForAKey() {
        ChargeOutcome first = client(server.url()).charge(key, 500);
        ChargeOutcome second = client(server.url()).charge(key, 500);

        assertThat(first)
                .isInstanceOfSatisfying(
                        Charged.class,
                        charged -> assertThat(charged.amountCents()).isEqualTo(500));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void aWithdrawalFindsTheChargeOrPreventsIt() {
        client(server.url()).charge(key, 500);

        assertThat(client(server.url()).withdraw(key)).isInstanceOf(Charged.class);
        assertThat(client(server.url()).withdraw("other-" + key)).isEqualTo(new Withdrawn());
        assertThat(client(server.url()).charge("other-" + key, 500)).isEqualTo(new Withdrawn());
    }

    @Test
    void aRefusalComesWithItsReason() {
        server.configure("{\"payments\": {\"declineRate\": 1}}");

        assertThat(client(server.url()).charge(key, 500)).isEqualTo(new Declined("card_declined"));
    }

    @Test
    void anErrorOfTheProviderLeavesTheChargeUnconfirmed() {
        server.configure("{\"payments\": {\"failureRate\": 1}}");

        assertThat(client(server.url()).charge(key, 500)).isEqualTo(new Unconfirmed(false));
    }

    @Test
    void anAnswerThatDoesNotComeLeavesTheChargeUnconfirmed() {
        server.configure("{\"payments\": {\"latencyMillis\": 5000}}");

        assertThat(client(server.url()).charge(key, 500)).isEqualTo(new Unconfirmed(true));
    }

    @Test
    void aLimitComesWithTheTimeToWait() {
        server.configure("{\"payments\": {\"limitPerSecond\": 1}}");
        PaymentProvider client = client(server.url());
        ChargeOutcome outcome = client.charge(key, 500);
        for (int i = 0; i < 20 && outcome instanceof Charged; i++) {
            outcome = client.charge(key, 500);
        }
        server.configure("{\"payments\": {\"limitPerSecond\": 0}}");

        assertThat(outcome).isEqualTo(new Busy(Duration.ofSeconds(1)));
    }

    @Test
    void withoutAConnectionNothingWasCharged() throws IOException {
        ProviderServer gone = ProviderServer.start(0);
        gone.close();

        assertThat(client(gone.url()).charge(key, 500)).isEqualTo(new Unreachable());
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> new PaymentSettings(URI.create("ftp://x"), TIMEOUT, TIMEOUT))
                .hasMessageContaining("store.payments.url is 'ftp://x'");
        assertThatThrownBy(() -> new PaymentSettings(URI.create("http://x"), TIMEOUT, Duration.ZERO))
                .hasMessageContaining("store.payments.timeout is 0ms");
    }

    private static PaymentProvider client(String url) {
        return new PaymentProvider(new PaymentSettings(URI.create(url), TIMEOUT, TIMEOUT));
    }
}
