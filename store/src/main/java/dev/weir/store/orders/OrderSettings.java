package dev.weir.store.orders;

import dev.weir.starter.SettingException;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How orders are placed.
 *
 * @param stock how an order has its stock while the payment provider is asked
 * @param reservation how long it may have it without a sign of life of who placed it, 1 s to 1 h
 * @param sweepInterval how often reservations that are over are looked for, 10 ms to 10 min
 * @param keyWait how long a request waits for an earlier one with its key, 0 to 1 min
 */
@ConfigurationProperties("store.orders")
record OrderSettings(Hold stock, Duration reservation, Duration sweepInterval, Duration keyWait) {

    /** What keeps others from an order's stock until it is paid. */
    enum Hold {
        /** The row's lock, in one transaction that lasts as long as the payment. */
        HELD,
        /** A committed reservation. */
        RESERVED
    }

    OrderSettings {
        require("reservation", reservation, Duration.ofSeconds(1), Duration.ofHours(1), "30s");
        require("sweep-interval", sweepInterval, Duration.ofMillis(10), Duration.ofMinutes(10), "1s");
        require("key-wait", keyWait, Duration.ZERO, Duration.ofMinutes(1), "10s");
    }

    private static void require(String name, Duration given, Duration least, Duration most, String example) {
        if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
            throw new IllegalArgumentException("store.orders." + name + " is " + given.toMillis()
                    + "ms: give a duration from " + least.toMillis() + "ms to " + most.toSeconds() + "s, such as "
                    + example + ".");
        }
    }

    /**
     * These settings, where a reservation outlasts a payment.
     *
     * @param longestCall after so long a call of the payment provider has ended
     * @throws SettingException if it does not
     */
    OrderSettings fitting(Duration longestCall) {
        if (reservation.compareTo(longestCall) <= 0) {
            throw new SettingException(
                    "store.orders.reservation",
                    reservation.toMillis() + "ms",
                    "above " + longestCall.toMillis()
                            + "ms, which is what a payment may take (store.payments.connect-timeout and timeout together)",
                    "Give a longer reservation or shorter timeouts.");
        }
        return this;
    }
}
