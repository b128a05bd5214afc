package dev.weir.store.orders;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The body of an order.
 *
 * @param customerId above 0
 * @param items 1 to 50, each product once
 */
// Jakarta's NotNull is a check of a value that may be null until it has passed.
@SuppressWarnings("MultipleNullnessAnnotations")
record OrderRequest(
        @NotNull @Min(1) @Nullable Long customerId,
        @NotNull @Size(min = 1, max = 50) @Nullable List<@NotNull @Valid @Nullable Item> items) {

    /**
     * One product.
     *
     * @param productId above 0
     * @param quantity 1 to 1,000
     */
    record Item(
            @NotNull @Min(1) @Nullable Long productId,
            @NotNull @Min(1) @Max(1_000) @Nullable Integer quantity) {}

    /** The order meant; only for a request that has been validated. */
    NewOrder order() {
        List<NewOrder.Line> lines = Objects.requireNonNull(items).stream()
                .map(Objects::requireNonNull)
                .map(item -> new NewOrder.Line(
                        Objects.requireNonNull(item.productId()), Objects.requireNonNull(item.quantity())))
                .toList();
        return new NewOrder(Objects.requireNonNull(customerId), lines);
    }
}
