package dev.weir.store.messages;

import jakarta.validation.Valid;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Four ways to spend the same 50 ms: on the server's thread, on Reactor's bounded elastic pool (ten threads a core by
 * default, fewer than the server's on a small machine), on no thread, and on no thread with the answer handed to
 * bounded elastic.
 */
@RestController
@RequestMapping("/mapi-mock/1")
class MockGatewayController {

    private final MessageProvider provider;
    private final MockSettings settings;

    MockGatewayController(MessageProvider provider, MockSettings settings) {
        this.provider = provider;
        this.settings = settings;
    }

    @GetMapping("/dummy")
    Waited dummy() throws InterruptedException {
        return block();
    }

    @GetMapping("/dummyReactor")
    Mono<Waited> dummyReactor() {
        return Mono.fromCallable(this::block).subscribeOn(Schedulers.boundedElastic());
    }

    /** A message of fixed content, for load generators that only read. */
    @GetMapping("/messages")
    Mono<Sent> sampleMessage() {
        return provider.send(Message.SAMPLE);
    }

    @PostMapping("/messages")
    Mono<Sent> message(@RequestBody @Valid Message message) {
        return provider.send(message);
    }

    /** As {@link #sampleMessage()}. */
    @GetMapping("/messagesReactor")
    Mono<Sent> sampleMessageReactor() {
        return provider.send(Message.SAMPLE).publishOn(Schedulers.boundedElastic());
    }

    @PostMapping("/messagesReactor")
    Mono<Sent> messageReactor(@RequestBody @Valid Message message) {
        return provider.send(message).publishOn(Schedulers.boundedElastic());
    }

    private Waited block() throws InterruptedException {
        Thread.sleep(settings.delay());
        return new Waited("ok", settings.delay().toMillis());
    }
}
