package dev.weir.store.catalog;

import com.google.protobuf.Message;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The second version of the product endpoint: JSON, or protobuf where the client asks for it by name. */
@RestController
@RequestMapping("/api/v2/products")
class ProductV2Controller {

    static final String PROTOBUF = "application/x-protobuf";

    private final Catalog catalog;

    ProductV2Controller(Catalog catalog) {
        this.catalog = catalog;
    }

    @GetMapping(path = "/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    ProductV2 json(@PathVariable long id) {
        return find(id);
    }

    @GetMapping(path = "/{id}", produces = PROTOBUF)
    Message protobuf(@PathVariable long id) {
        return find(id).message();
    }

    private ProductV2 find(long id) {
        return catalog.find(id).map(ProductV2::of).orElseThrow(() -> ProductController.notFound(id));
    }
}
