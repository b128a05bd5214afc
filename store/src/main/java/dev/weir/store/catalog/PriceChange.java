package dev.weir.store.catalog;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/**
 * A new price.
 *
 * @param priceCents 1 to 100,000,000 cents
 */
// Jakarta's NotNull is a check of a value that may be null until it has passed.
@SuppressWarnings("MultipleNullnessAnnotations")
record PriceChange(
        @NotNull @Min(1) @Max(100_000_000) @Nullable Long priceCents) {}
