package dev.weir.store.payments;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChargeOutcomeTest {

    @Test
    void whatTheProviderSaysIsKeptAsTheDatabaseTakesIt() {
        assertThat(new ChargeOutcome.Charged("ch\u0000_1", 5).chargeId()).isEqualTo("ch?_1");
        assertThat(new ChargeOutcome.Declined("no\u0000").reason()).isEqualTo("no?");
    }
}
