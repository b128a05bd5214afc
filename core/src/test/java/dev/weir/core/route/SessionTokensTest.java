package dev.weir.core.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.route.SessionTokens.Expired;
import dev.weir.core.route.SessionTokens.Invalid;
import dev.weir.core.route.SessionTokens.Valid;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTokensTest {

    private static final byte[] KEY = "a key of sixteen bytes or more".getBytes(UTF_8);
    private static final byte[] OTHER = "another key of sixteen or more".getBytes(UTF_8);
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private final SessionTokens tokens = at(NOW);

    @Test
    void aTokenCarriesItsPosition() {
        String token = tokens.issue(0x16_B374_D848L);
        assertThat(token).hasSize(44).matches("[A-Za-z0-9_-]+");
        assertThat(tokens.read(token)).isEqualTo(new Valid(0x16_B374_D848L));
    }

    @Test
    void everySingleChangedBitMakesItInvalid() {
        byte[] good = Base64.getUrlDecoder().decode(tokens.issue(Lsn.PRIMARY_ONLY));
        for (int bit = 0; bit < good.length * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bad);
            assertThat(tokens.read(text)).as("bit %d", bit).isInstanceOf(Invalid.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%"
            })
    void garbageIsInvalid(String text) {
        assertThat(tokens.read(text)).isInstanceOf(Invalid.class);
    }

    @Test
    void noGarbageOfAnyLengthThrowsOrIsAccepted() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder();
            int length = random.nextInt(60);
            for (int c = 0; c < length; c++) {
                text.append((char) random.nextInt(0x20, 0x17F));
            }
            assertThat(tokens.read(text.toString())).isInstanceOf(Invalid.class);
        }
    }

    @Test
    void aTokenOfAnotherKeyIsInvalid() {
        var others = new SessionTokens(List.of(OTHER), Duration.ofMinutes(5), InstantSource.fixed(NOW));
        assertThat(tokens.read(others.issue(1))).isInstanceOf(Invalid.class);
    }

    @Test
    void aReplacedKeyIsAcceptedButSignsNoMore() {
        var rotated = new SessionTokens(List.of(OTHER, KEY), Duration.ofMinutes(5), InstantSource.fixed(NOW));
        assertThat(rotated.read(tokens.issue(42))).isEqualTo(new Valid(42));
        assertThat(tokens.read(rotated.issue(42))).isInstanceOf(Invalid.class);
    }

    @Test
    void anOldTokenAndOneFromTheFutureAreExpired() {
        String token = tokens.issue(1);
        assertThat(at(NOW.plusSeconds(300)).read(token)).isInstanceOf(Valid.class);
        assertThat(at(NOW.plusSeconds(301)).read(token)).isInstanceOf(Expired.class);
        assertThat(at(NOW.minusSeconds(301)).read(token)).isInstanceOf(Expired.class);
    }

    @Test
    void aShortKeyIsRefused() {
        assertThatThrownBy(
                        () -> new SessionTokens(List.of(new byte[15]), Duration.ofMinutes(5), InstantSource.system()))
                .hasMessageContaining("at least 16 bytes");
    }

    private static SessionTokens at(Instant now) {
        return new SessionTokens(List.of(KEY), Duration.ofMinutes(5), InstantSource.fixed(now));
    }
}
