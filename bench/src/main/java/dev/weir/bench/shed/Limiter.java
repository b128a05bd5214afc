package dev.weir.bench.shed;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limiter.AbstractPartitionedLimiter;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.weir.core.shed.Admission;
import dev.weir.core.shed.Caller;
import dev.weir.core.shed.Completion;
import dev.weir.core.shed.Permit;
import dev.weir.core.shed.Priority;
import dev.weir.core.shed.ShedConfig;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.springframework.util.ConcurrencyThrottleSupport;

/** One limiter: a place taken and given back. */
@FunctionalInterface
public interface Limiter {

    int PLACES = 1_000;

    /** Takes a place and gives it back; whether there was one. */
    boolean admitAndRelease();

    /** The limiters that are compared. */
    enum Kind {
        SEMAPHORE("Semaphore"),
        WEIR("Weir, adaptive"),
        WEIR_PERMIT("Weir, adaptive, permit object"),
        WEIR_FIXED("Weir, fixed"),
        NETFLIX_SIMPLE("Netflix, Gradient2, simple"),
        NETFLIX_PARTITIONED("Netflix, Gradient2, partitioned"),
        RESILIENCE4J("resilience4j bulkhead"),
        SENTINEL("Sentinel entry, thread count"),
        SPRING("Spring concurrency limit");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }

        Limiter create() {
            return switch (this) {
                case SEMAPHORE -> semaphore();
                case WEIR -> tokens(new Admission(ShedConfig.defaults()));
                case WEIR_PERMIT -> permits(new Admission(ShedConfig.defaults()));
                case WEIR_FIXED -> tokens(new Admission(ShedConfig.fixed(PLACES)));
                case NETFLIX_SIMPLE -> netflixSimple();
                case NETFLIX_PARTITIONED -> netflixPartitioned();
                case RESILIENCE4J -> resilience4j();
                case SENTINEL -> sentinel();
                case SPRING -> new SpringThrottle();
            };
        }
    }

    private static Limiter semaphore() {
        var semaphore = new Semaphore(PLACES);
        return () -> {
            if (!semaphore.tryAcquire()) {
                return false;
            }
            semaphore.release();
            return true;
        };
    }

    private static Limiter tokens(Admission admission) {
        return () -> {
            long token = admission.tryEnter(Priority.NORMAL, 42);
            if (token < 0) {
                return false;
            }
            admission.leave(token, Completion.SUCCESS);
            return true;
        };
    }

    private static Limiter permits(Admission admission) {
        var caller = new Caller(Priority.NORMAL, 42);
        return () -> {
            if (admission.tryAcquire(caller) instanceof Permit permit) {
                permit.close();
                return true;
            }
            return false;
        };
    }

    private static Gradient2Limit gradient() {
        return Gradient2Limit.newBuilder()
                .initialLimit(PLACES)
                .minLimit(PLACES)
                .maxConcurrency(PLACES)
                .build();
    }

    private static Limiter netflixSimple() {
        SimpleLimiter<String> limiter =
                SimpleLimiter.newBuilder().limit(gradient()).build();
        return () -> netflix(limiter);
    }

    private static boolean netflix(com.netflix.concurrency.limits.Limiter<String> limiter) {
        var listener = limiter.acquire("normal");
        listener.ifPresent(com.netflix.concurrency.limits.Limiter.Listener::onSuccess);
        return listener.isPresent();
    }

    private static Limiter netflixPartitioned() {
        var limiter = new Partitioned()
                .limit(gradient())
                .partitionResolver(name -> name)
                .partition("normal", 0.8)
                .partition("low", 0.2)
                .build();
        return () -> netflix(limiter);
    }

    /** The builder is abstract. */
    final class Partitioned extends AbstractPartitionedLimiter.Builder<Partitioned, String> {

        @Override
        protected Partitioned self() {
            return this;
        }
    }

    private static Limiter resilience4j() {
        Bulkhead bulkhead = Bulkhead.of(
                "bench", BulkheadConfig.custom().maxConcurrentCalls(PLACES).build());
        return () -> {
            if (!bulkhead.tryAcquirePermission()) {
                return false;
            }
            bulkhead.onComplete();
            return true;
        };
    }

    private static Limiter sentinel() {
        System.setProperty("csp.sentinel.log.dir", System.getProperty("java.io.tmpdir"));
        var rule = new FlowRule("bench");
        rule.setGrade(RuleConstant.FLOW_GRADE_THREAD);
        rule.setCount(PLACES);
        FlowRuleManager.loadRules(List.of(rule));
        return () -> {
            try (Entry entry = SphU.entry("bench")) {
                return entry != null;
            } catch (BlockException e) {
                return false;
            }
        };
    }

    /** What {@code @ConcurrencyLimit} does around a method. */
    final class SpringThrottle extends ConcurrencyThrottleSupport implements Limiter {

        private static final long serialVersionUID = 1;

        SpringThrottle() {
            setConcurrencyLimit(PLACES);
        }

        @Override
        public boolean admitAndRelease() {
            beforeAccess();
            afterAccess();
            return true;
        }
    }
}
