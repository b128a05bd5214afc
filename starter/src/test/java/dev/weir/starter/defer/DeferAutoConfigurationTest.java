package dev.weir.starter.defer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.outbox.EventHandler;
import dev.weir.core.publish.Event;
import dev.weir.core.shed.Admission;
import dev.weir.core.shed.ServicePressure;
import dev.weir.core.shed.ShedConfig;
import dev.weir.core.shed.Signals;
import dev.weir.starter.FeatureStatus.State;
import dev.weir.starter.SettingException;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.outbox.OutboxAutoConfiguration;
import dev.weir.starter.publish.PublishAutoConfiguration;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

/** {@code weir.defer} with a queue of the test's own in the place of an outbox. */
class DeferAutoConfigurationTest {

    private static final class Memory implements DeferrableQueue {
        private final List<Event> added = new ArrayList<>();
        private Map<String, EventHandler> handlers = Map.of();

        @Override
        public UUID add(Event event) {
            UUID id = UUID.randomUUID();
            added.add(event.withId(id));
            return id;
        }

        @Override
        public void handle(Map<String, EventHandler> all) {
            handlers = all;
        }

        void run(Event event) throws Exception {
            Objects.requireNonNull(handlers.get(event.topic())).handle(event);
        }

        void runAll() throws Exception {
            for (Event event : List.copyOf(added)) {
                run(event);
            }
        }
    }

    record Invoice(String order, BigDecimal total, Instant at, List<Line> lines) {}

    record Line(String product, int count) {}

    static class Invoices {
        final List<Object> sent = new ArrayList<>();

        @Deferrable(value = "send-invoice", key = "customer")
        public void send(String customer, Invoice invoice) {
            sent.add(customer);
            sent.add(invoice);
            sent.add(Deferred.eventId());
            sent.add(LocaleContextHolder.getLocale());
            sent.add(Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
                    .map(user -> user.getName() + user.getAuthorities()));
        }

        @Deferrable("remind")
        public void remind(int times) {
            sent.add(times);
        }

        @Deferrable("fail")
        public void fail() throws Exception {
            throw new java.io.IOException("no paper");
        }

        public void both() {
            remind(1);
        }
    }

    static class Views {
        final CompletableFuture<Thread> seen = new CompletableFuture<>();
        final CompletableFuture<Locale> locale = new CompletableFuture<>();

        @dev.weir.starter.defer.BestEffort
        public void viewed(@Nullable CountDownLatch latch) throws InterruptedException {
            if (latch != null) {
                latch.await();
            }
            locale.complete(LocaleContextHolder.getLocale());
            seen.complete(Thread.currentThread());
        }
    }

    private final ApplicationContextRunner off = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    WeirAutoConfiguration.class,
                    PublishAutoConfiguration.class,
                    OutboxAutoConfiguration.class,
                    DeferAutoConfiguration.class));
    private final ApplicationContextRunner on = off.withPropertyValues("weir.defer.enabled=true");
    private final ApplicationContextRunner queued = on.withBean(Memory.class, Memory::new);

    private static Invoice invoice() {
        return new Invoice("7", new BigDecimal("10.10"), Instant.EPOCH, List.of(new Line("cup", 2)));
    }

    @AfterEach
    void leaveTheThreadAsItWas() {
        LocaleContextHolder.resetLocaleContext();
        SecurityContextHolder.clearContext();
    }

    @Test
    void offAnnotatedMethodsRunInLine() {
        off.withBean(Invoices.class).withBean(Views.class).run(context -> {
            context.getBean(Invoices.class).remind(3);
            context.getBean(Views.class).viewed(null);

            assertThat(context.getBean(Invoices.class).sent).containsExactly(3);
            assertThat(context.getBean(Views.class).seen).isCompletedWithValue(Thread.currentThread());
            assertThat(context.getBean(DeferFeature.class).status().state()).isEqualTo(State.OFF);
        });
    }

    @Test
    void aCallBecomesAnEventAndTheEventThatCall() {
        queued.withBean(Invoices.class, Invoices::new).run(context -> {
            Memory queue = context.getBean(Memory.class);
            Invoices invoices = context.getBean(Invoices.class);

            invoices.send("ada", invoice());

            assertThat(sent(invoices)).isEmpty();
            Event event = queue.added.getFirst();
            assertThat(event.topic()).isEqualTo("send-invoice");
            assertThat(event.key()).isEqualTo("ada".getBytes(StandardCharsets.UTF_8));
            queue.runAll();
            assertThat(sent(invoices)).startsWith("ada", invoice(), Optional.of(Objects.requireNonNull(event.id())));
            assertThat(queue.added).hasSize(1);
            assertThat(Deferred.eventId()).isEmpty();
        });
    }

    /** The target's own field; the proxy has none. */
    private static List<Object> sent(Invoices proxy) {
        return ((Invoices) Objects.requireNonNull(
                        org.springframework.aop.framework.AopProxyUtils.getSingletonTarget(proxy)))
                .sent;
    }

    @Test
    void localeAndUserGoAlong() {
        queued.withBean(Invoices.class).run(context -> {
            Invoices invoices = context.getBean(Invoices.class);
            LocaleContextHolder.setLocale(Locale.forLanguageTag("de-AT"));
            SecurityContextHolder.getContext()
                    .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                            "ada",
                            "secret",
                            org.springframework.security.core.authority.AuthorityUtils.createAuthorityList("ADMIN")));
            invoices.send("ada", invoice());
            LocaleContextHolder.setLocale(Locale.FRENCH);
            SecurityContextHolder.clearContext();

            context.getBean(Memory.class).runAll();

            assertThat(sent(invoices)).endsWith(Locale.forLanguageTag("de-AT"), Optional.of("ada[]"));
            assertThat(LocaleContextHolder.getLocale()).isEqualTo(Locale.FRENCH);
            assertThat(SecurityContextHolder.getContext().getAuthentication()).isNull();
        });
    }

    @Test
    void theTraceGoesAlong() {
        ObservationRegistry registry = ObservationRegistry.create();
        List<String> seen = new ArrayList<>();
        registry.observationConfig().observationHandler(new Tracing(seen));
        queued.withBean(Invoices.class)
                .withBean(ObservationRegistry.class, () -> registry)
                .run(context -> {
                    context.getBean(Invoices.class).remind(1);
                    context.getBean(Memory.class).runAll();
                    assertThat(seen).containsExactly("weir.defer.run remind trace-1");
                });
    }

    /** Puts a trace into what is sent, and tells what was received. */
    private record Tracing(List<String> seen) implements ObservationHandler<Observation.Context> {

        @Override
        @SuppressWarnings("unchecked") // this test's only senders have such carriers
        public void onStart(Observation.Context context) {
            if (context instanceof SenderContext<?> sender) {
                ((SenderContext<Object>) sender).getSetter().set(sender.getCarrier(), "traceparent", "trace-1");
            }
            if (context instanceof ReceiverContext<?> receiver) {
                seen.add(context.getName() + " "
                        + Objects.requireNonNull(context.getLowCardinalityKeyValue("work"))
                                .getValue()
                        + " "
                        + ((ReceiverContext<Object>) receiver)
                                .getGetter()
                                .get(Objects.requireNonNull(receiver.getCarrier()), "traceparent"));
            }
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void aCallWithinTheBeanRunsInLine() {
        queued.withBean(Invoices.class).run(context -> {
            context.getBean(Invoices.class).both();
            assertThat(sent(context.getBean(Invoices.class))).containsExactly(1);
            assertThat(context.getBean(Memory.class).added).isEmpty();
        });
    }

    @Test
    void whatTheMethodThrowsIsWhatTheHandlerThrows() {
        queued.withBean(Invoices.class).run(context -> {
            context.getBean(Invoices.class).fail();
            assertThatThrownBy(() -> context.getBean(Memory.class).runAll())
                    .isInstanceOf(java.io.IOException.class)
                    .hasMessage("no paper");
        });
    }

    @Test
    void anArgumentThatCannotBeWrittenIsRefusedAtTheCall() {
        queued.withBean(Invoices.class).run(context -> {
            Invoices invoices = context.getBean(Invoices.class);
            assertThatThrownBy(() -> invoices.send(nothing(), invoice()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("customer")
                    .hasMessageContaining("is null");
            assertThat(context.getBean(Memory.class).added).isEmpty();
        });
    }

    @SuppressWarnings("NullAway") // what careless callers do
    private static String nothing() {
        return null;
    }

    @Test
    void aCallWithOtherArgumentsThanTheMethodsIsRefused() {
        queued.withBean(Invoices.class).run(context -> {
            Memory queue = context.getBean(Memory.class);
            for (String content : List.of("[]", "[1,2]", "{}", "[\"x\"]")) {
                assertThatThrownBy(() -> queue.run(Event.unkeyed("remind", content.getBytes(StandardCharsets.UTF_8))))
                        .as(content)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    static class Answering {
        @Deferrable("answer")
        public String answer() {
            return "";
        }
    }

    static class Final {
        @Deferrable("final")
        public final void run() {}
    }

    static class Streaming {
        @Deferrable("stream")
        public void run(InputStream content) {}
    }

    static class Untyped {
        @Deferrable("untyped")
        public void run(Object content) {}
    }

    static class Misordered {
        @Deferrable(value = "misordered", key = "id")
        public void run(String order) {}
    }

    static class Nameless {
        @Deferrable(" ")
        public void run() {}
    }

    static class Twice {
        @Deferrable("twice")
        public void first() {}

        @Deferrable("twice")
        public void second() {}
    }

    static class AnsweringEffort {
        @dev.weir.starter.defer.BestEffort
        public int run() {
            return 1;
        }
    }

    static class Undecided {
        @Deferrable("undecided")
        @dev.weir.starter.defer.BestEffort
        public void run() {}
    }

    static List<Arguments> unusable() {
        return List.of(
                Arguments.of(Answering.class, "returns String, which a call that runs later cannot."),
                Arguments.of(Final.class, "is without effect"),
                Arguments.of(Streaming.class, "content of type java.io.InputStream, which cannot be read back"),
                Arguments.of(Untyped.class, "its type does not say what to read back"),
                Arguments.of(Misordered.class, "ordered by its parameter id, which it does not have; there is order"),
                Arguments.of(Nameless.class, "has no name"),
                Arguments.of(Twice.class, "named 'twice' by two methods"),
                Arguments.of(AnsweringEffort.class, "returns int"),
                Arguments.of(Undecided.class, "is both @Deferrable and @BestEffort"));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void anAnnotationThatCannotWorkStopsTheStart(Class<?> bean, String sentence) {
        queued.withBean(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(SettingException.class)
                        .hasMessageContaining(sentence));
    }

    @Test
    void aBeanThatIsNoSingletonCannotBeDeferredTo() {
        queued.withInitializer(context -> {
                    var definition = new org.springframework.beans.factory.support.RootBeanDefinition(Invoices.class);
                    definition.setScope("prototype");
                    ((org.springframework.context.support.GenericApplicationContext) context)
                            .registerBeanDefinition("invoices", definition);
                })
                .run(context -> assertThat(context).getFailure().hasMessageContaining("no singleton"));
    }

    @Test
    void deferrableWorkWithoutAnOutboxStopsTheStart() {
        on.withBean(Invoices.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(SettingException.class)
                        .hasMessageContaining("needs an outbox, and there is none"));
    }

    @Test
    void bestEffortNeedsNoOutbox() {
        on.withBean(Views.class).run(context -> {
            Views views = context.getBean(Views.class);
            LocaleContextHolder.setLocale(Locale.CANADA_FRENCH);
            views.viewed(null);
            Views target = (Views)
                    Objects.requireNonNull(org.springframework.aop.framework.AopProxyUtils.getSingletonTarget(views));
            assertThat(target.seen.get(20, TimeUnit.SECONDS).isVirtual()).isTrue();
            assertThat(target.locale.get(20, TimeUnit.SECONDS)).isEqualTo(Locale.CANADA_FRENCH);
        });
    }

    @Test
    void whatIsTooMuchIsDroppedAndCounted() {
        on.withPropertyValues(
                        "weir.defer.best-effort.running=1",
                        "weir.defer.best-effort.waiting=0",
                        "weir.defer.best-effort.drain=0s")
                .withBean(Views.class)
                .withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    CountDownLatch latch = new CountDownLatch(1);
                    context.getBean(Views.class).viewed(latch);
                    context.getBean(Views.class).viewed(latch);
                    assertThat(context.getBean(Deferred.class).bestEffort(() -> {}))
                            .isFalse();
                    latch.countDown();

                    var registry = context.getBean(SimpleMeterRegistry.class);
                    context.getBean(DeferMeters.class).bindTo(registry);
                    assertThat(Objects.requireNonNull(registry.find("weir.defer.best.effort.dropped")
                                            .tag("reason", "full")
                                            .functionCounter())
                                    .count())
                            .isEqualTo(2);
                    assertThat(context.getBean(DeferFeature.class).status().warnings())
                            .anyMatch(warning -> warning.startsWith("2 best-effort tasks were dropped"));
                });
    }

    @Test
    void underPressureBestEffortIsDropped() {
        AtomicLong nanos = new AtomicLong();
        Admission admission = new Admission(ShedConfig.defaults(), nanos::get, 1);
        on.withBean(ServicePressure.class, admission::servicePressure).run(context -> {
            Deferred deferred = context.getBean(Deferred.class);
            assertThat(deferred.bestEffort(() -> {})).isTrue();

            admission.signals(new Signals(0, 1, 0));
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));

            assertThat(deferred.bestEffort(() -> {})).isFalse();
            assertThat(context.getBean(DeferFeature.class).status().warnings())
                    .anyMatch(warning -> warning.contains("dropped under pressure"));
        });
    }

    @Test
    void eventsAreHandledByTheBeanOfTheirTopic() {
        List<Event> handled = new ArrayList<>();
        queued.withBean("add-totals", EventHandler.class, () -> handled::add).run(context -> {
            Deferred deferred = context.getBean(Deferred.class);
            UUID id = deferred.deferrable(Event.of("add-totals", "today", new byte[] {1}));
            context.getBean(Memory.class).runAll();
            assertThat(handled).singleElement().extracting(Event::id).isEqualTo(id);
            assertThatThrownBy(() -> deferred.deferrable(Event.unkeyed("add-totlas", new byte[0])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("there is add-totals.");
        });
    }

    @Test
    void aServiceWithoutSecurityStarts() {
        queued.withClassLoader(new FilteredClassLoader("org.springframework.security"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(SecurityContexts.class));
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(
            strings = {
                "table=My Table",
                "concurrency=0",
                "max-bytes=1B",
                "best-effort.drain=-1s",
                "best-effort.running=0"
            })
    void whatCannotBeUsedStopsTheStart(String setting) {
        on.withPropertyValues("weir.defer." + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(setting.substring(setting.indexOf('.') + 1, setting.indexOf('='))));
    }
}
