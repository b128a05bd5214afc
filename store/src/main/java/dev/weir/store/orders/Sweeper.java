package dev.weir.store.orders;

import dev.weir.store.payments.ChargeOutcome;
import dev.weir.store.payments.ChargeOutcome.Verdict;
import dev.weir.store.payments.PaymentProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Settles orders whose reservation is over: whoever placed them has died, or does not know whether they are paid. The
 * provider is asked to withdraw the charge. If there is one the order is paid; if not there never will be, and the stock is
 * given back. Where the provider gives no last word, it is asked again one reservation later.
 *
 * <p>Works for both ways to place orders, since a store of the one kind may find what one of the other kind has left. Any
 * number of instances may sweep: each takes on orders that no other has.
 */
@Component
class Sweeper implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
    private static final int AT_ONCE = 20;
    private static final Duration STOP = Duration.ofSeconds(10);

    private final OrderBook book;
    private final OrderNews news;
    private final PaymentProvider payments;
    private final TransactionOperations transactions;
    private final OrderSettings settings;
    private final MeterRegistry meters;
    private @Nullable Sweeping sweeping;

    Sweeper(
            OrderBook book,
            OrderNews news,
            PaymentProvider payments,
            TransactionOperations transactions,
            OrderSettings settings,
            MeterRegistry meters) {
        this.book = book;
        this.news = news;
        this.payments = payments;
        this.transactions = transactions;
        this.settings = settings.fitting(payments.longestCall());
        this.meters = meters;
    }

    /** Settles a number of orders, none where none is over; answers how many were looked at. */
    int sweep() {
        List<Taken> over = Objects.requireNonNull(
                transactions.execute(status -> book.takeOnThoseOver(AT_ONCE, settings.reservation())));
        if (over.isEmpty()) {
            return 0;
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            over.forEach(taken -> threads.execute(() -> settleOrWarn(taken)));
        }
        return over.size();
    }

    private void settleOrWarn(Taken taken) {
        try {
            settle(taken);
        } catch (RuntimeException e) {
            count("FAILED");
            log.warn(
                    "Order {} stays reserved, and is looked at again: {}",
                    taken.row().id(),
                    e.toString());
        }
    }

    private void settle(Taken taken) {
        ChargeOutcome outcome = payments.withdraw(taken.row().chargeKey());
        if (outcome instanceof Verdict verdict) {
            Settlement settlement = Objects.requireNonNull(transactions.execute(status -> book.settle(taken, verdict)));
            news.committed(settlement);
            String status = settlement.placement().order().status().name();
            count(status);
            log.info("Order {} was left unsettled and is now {}", taken.row().id(), status);
        } else {
            count("UNKNOWN");
        }
    }

    private void count(String outcome) {
        meters.counter("store.orders.swept", "outcome", outcome).increment();
    }

    @Override
    public synchronized void start() {
        sweeping = new Sweeping();
        sweeping.thread.start();
    }

    @Override
    public synchronized void stop() {
        if (sweeping != null) {
            sweeping.stop();
            sweeping = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return sweeping != null;
    }

    /** From a start to a stop. */
    private final class Sweeping {

        final Thread thread =
                Thread.ofPlatform().name("store-order-sweeper").daemon().unstarted(this::run);
        private final CountDownLatch stopped = new CountDownLatch(1);
        private boolean failing;

        void run() {
            try {
                do {
                    sweepOrWarn();
                } while (!stopped.await(settings.sweepInterval().toNanos(), TimeUnit.NANOSECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void sweepOrWarn() {
            try {
                int looked = sweep();
                while (looked == AT_ONCE && stopped.getCount() > 0) {
                    looked = sweep();
                }
                failing = false;
            } catch (RuntimeException e) {
                // Whatever it is: without this thread nobody would give back the stock of orders that were left.
                if (!failing) {
                    log.warn("Reservations that are over cannot be looked for: {}", e.toString());
                }
                failing = true;
            }
        }

        void stop() {
            stopped.countDown();
            try {
                if (!thread.join(STOP)) {
                    log.warn("The sweeper is still at work after {} s.", STOP.toSeconds());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
