package dev.weir.starter.express;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.express.CaffeineHotEntries;
import dev.weir.core.express.ExpressRoute;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

class SecurityCheckTest {

    private static final Filter GUARD = (request, response, chain) -> {};
    private static final SecurityFilterChain ALL = new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, GUARD);

    private static void check(boolean open, SecurityFilterChain... chains) {
        CaffeineHotEntries<String, String> entries = new CaffeineHotEntries<>(1, Duration.ofMinutes(1), key -> key);
        ExpressRoute.Builder<String, String> route = ExpressRoute.<String, String>of(
                        "/v2/products/{id}", key -> key, entries)
                .produces("text/plain", String::getBytes);
        if (open) {
            route.openToAll();
        }
        new SecurityCheck(List.of(route.build()), List.of(chains), "/shop").afterSingletonsInstantiated();
    }

    private static SecurityFilterChain chain(String pattern, Filter... filters) {
        return new DefaultSecurityFilterChain(
                PathPatternRequestMatcher.withDefaults().matcher(pattern), filters);
    }

    @Test
    void refusesAGuardedRouteThatIsNotDeclaredOpen() {
        assertThatThrownBy(() -> check(false, ALL))
                .isInstanceOf(GuardedRouteException.class)
                .hasMessageContaining("/v2/products/{id}");
        assertThatThrownBy(() -> check(false, chain("/v2/**", GUARD))).isInstanceOf(GuardedRouteException.class);
    }

    @Test
    void takesTheDeclarationAtItsWord() {
        assertThatCode(() -> check(true, ALL)).doesNotThrowAnyException();
    }

    @Test
    void theFirstChainThatMatchesDecides() {
        assertThatCode(() -> check(false, chain("/v2/products/*"), ALL)).doesNotThrowAnyException();
        assertThatCode(() -> check(false, chain("/admin/**", GUARD))).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(false, chain("/admin/**"), ALL)).isInstanceOf(GuardedRouteException.class);
    }

    @Test
    void theReportNamesTheWaysOut() {
        GuardedRouteException refused = new GuardedRouteException("/v2/products/{id}");
        FailureAnalysis analysis = Objects.requireNonNull(new GuardedRouteFailureAnalyzer().analyze(refused));
        assertThat(analysis.getAction()).contains("openToAll()", "behind security");
    }
}
