package dev.weir.store.orders;

import dev.weir.store.idempotency.IdempotencyKey;
import dev.weir.store.orders.Placement.Cancelled;
import dev.weir.store.orders.Placement.Declined;
import dev.weir.store.orders.Placement.Placed;
import dev.weir.store.orders.Placement.Unconfirmed;
import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import jakarta.validation.Valid;
import java.net.URI;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/orders")
class OrderController {

    /** Tells a caller that this answer is the one of an earlier request with the same key. */
    private static final String REPLAYED = "Idempotency-Replayed";

    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    @PostMapping
    ResponseEntity<Order> place(
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable String header,
            @RequestBody @Valid OrderRequest request) {
        IdempotencyKey key = IdempotencyKey.of(header).orElse(null);
        return switch (orders.place(request.order(), key)) {
            case Placed placed -> created(placed);
            case Declined declined -> throw declined(declined);
            case Unconfirmed unconfirmed -> throw unconfirmed(unconfirmed, key != null);
            case Cancelled cancelled -> throw cancelled(cancelled);
        };
    }

    @GetMapping("/{id}")
    Order order(@PathVariable UUID id) {
        return orders.find(id)
                .orElseThrow(() -> new ProblemException(ProblemType.ORDER_NOT_FOUND, "There is no order " + id + "."));
    }

    private static ResponseEntity<Order> created(Placed placed) {
        var answer = ResponseEntity.created(
                URI.create("/api/orders/" + placed.order().id()));
        if (placed.replayed()) {
            answer.header(REPLAYED, "true");
        }
        return answer.body(placed.order());
    }

    private static ProblemException declined(Declined declined) {
        var problem = new ProblemException(
                        ProblemType.PAYMENT_DECLINED,
                        "The payment provider declined the payment (" + declined.reason()
                                + "): use another means of payment and a new Idempotency-Key.")
                .with("orderId", declined.order().id())
                .with("reason", declined.reason());
        if (declined.replayed()) {
            problem.getHeaders().set(REPLAYED, "true");
        }
        return problem;
    }

    private static ProblemException unconfirmed(Unconfirmed unconfirmed, boolean keyed) {
        String what =
                unconfirmed.timeout() ? "The payment provider did not answer in time" : "The payment provider failed";
        String advice = keyed
                ? ": send the same request with the same Idempotency-Key again, it is charged at most once."
                : ": ask before ordering again, the payment may have been made; an Idempotency-Key avoids this.";
        return new ProblemException(
                        unconfirmed.timeout() ? ProblemType.PROVIDER_TIMEOUT : ProblemType.PROVIDER_FAILED,
                        what + advice)
                .with("orderId", unconfirmed.order().id());
    }

    private static ProblemException cancelled(Cancelled cancelled) {
        return new ProblemException(
                        ProblemType.PROVIDER_TIMEOUT,
                        "The payment took longer than the order's reservation and was withdrawn: nothing was charged,"
                                + " order again.")
                .with("orderId", cancelled.order().id());
    }
}
