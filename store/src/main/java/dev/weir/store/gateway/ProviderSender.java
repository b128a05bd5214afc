package dev.weir.store.gateway;

import dev.weir.store.messages.Message;
import dev.weir.store.messages.MessageProvider;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** Sends to the message provider; the message's id is the Idempotency-Key, by which a provider can leave out repetitions. */
final class ProviderSender implements Dispatcher.Sender {

    private final MessageProvider provider;

    ProviderSender(MessageProvider provider) {
        this.provider = provider;
    }

    @Override
    public void send(Outgoing message, Consumer<ProviderAnswer> answer) {
        Mono.defer(() -> provider.send(
                        new Message(message.to(), message.text()), message.id().toString()))
                .subscribe(
                        receipt -> answer.accept(new ProviderAnswer.Taken(String.valueOf(receipt.id()))),
                        failure -> answer.accept(ProviderAnswer.of(failure)));
    }
}
