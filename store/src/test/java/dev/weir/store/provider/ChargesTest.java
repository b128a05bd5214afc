package dev.weir.store.provider;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChargesTest {

    private final Charges charges = new Charges(2);

    @Test
    void aKeyIsChargedOnce() {
        var first = charges.charge("a", 100, false);
        var second = charges.charge("a", 999, true);

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.amountCents()).isEqualTo(100);
        assertThat(second.reason()).isNull();
        assertThat(second.replayed()).isTrue();
        assertThat(charges.charged()).isEqualTo(1);
        assertThat(charges.chargedCents()).isEqualTo(100);
    }

    @Test
    void aDeclinedKeyStaysDeclined() {
        charges.charge("a", 100, true);

        assertThat(charges.charge("a", 100, false).reason()).isEqualTo("card_declined");
        assertThat(charges.charged()).isZero();
    }

    @Test
    void theOldestKeyIsForgottenWhenTheMemoryIsFull() {
        charges.charge("a", 1, false);
        charges.charge("b", 1, false);
        charges.charge("c", 1, false);

        assertThat(charges.charge("c", 1, false).replayed()).isTrue();
        assertThat(charges.charge("a", 1, false).replayed()).isFalse();
    }

    @Test
    void aWithdrawnKeyIsNeverCharged() {
        assertThat(charges.withdraw("a").status()).isEqualTo(410);
        assertThat(charges.charge("a", 100, false).status()).isEqualTo(410);
        assertThat(charges.charged()).isZero();
    }

    @Test
    void whatWasChargedOrDeclinedIsFoundAndNotWithdrawn() {
        charges.charge("a", 100, false);
        charges.charge("b", 100, true);

        assertThat(charges.withdraw("a").status()).isEqualTo(201);
        assertThat(charges.withdraw("b").status()).isEqualTo(402);
        assertThat(charges.charge("a", 100, false).amountCents()).isEqualTo(100);
    }
}
