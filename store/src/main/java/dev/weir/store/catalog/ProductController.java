package dev.weir.store.catalog;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.util.Objects;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/products")
class ProductController {

    /** A deep offset reads and drops every row before it, so the depth is bounded. */
    private static final int MAX_ROWS_DEEP = 10_000;

    private final Catalog catalog;

    ProductController(Catalog catalog) {
        this.catalog = catalog;
    }

    @GetMapping("/{id}")
    Product product(@PathVariable long id) {
        return catalog.find(id).orElseThrow(() -> notFound(id));
    }

    @GetMapping
    ProductPage search(
            @RequestParam @Size(min = 1, max = 100, message = "must have 1 to 100 characters") String query,
            @RequestParam(defaultValue = "0") @Min(0) @Max(MAX_ROWS_DEEP) int page,
            @RequestParam(defaultValue = "20") @Min(1) @Max(100) int size) {
        String words = NameQuery.of(query);
        if (words.isEmpty()) {
            throw new ProblemException(
                    ProblemType.VALIDATION_FAILED, "query holds no word: give letters or digits to search for.");
        }
        if (page * size > MAX_ROWS_DEEP) {
            throw new ProblemException(
                    ProblemType.VALIDATION_FAILED,
                    "page " + page + " of size " + size + " begins at row " + page * size + ": a search reaches row "
                            + MAX_ROWS_DEEP + ", use a narrower query.");
        }
        return catalog.search(words, page, size);
    }

    @PutMapping("/{id}/price")
    Product changePrice(@PathVariable long id, @RequestBody @Valid PriceChange change) {
        return catalog.changePrice(id, Objects.requireNonNull(change.priceCents()))
                .orElseThrow(() -> notFound(id));
    }

    static ProblemException notFound(long id) {
        return new ProblemException(ProblemType.PRODUCT_NOT_FOUND, "There is no product " + id + ".");
    }
}
