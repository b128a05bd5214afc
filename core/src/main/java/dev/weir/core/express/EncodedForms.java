package dev.weir.core.express;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What is attached to a cache entry: the forms one route has encoded so far. Routes that share an entry form a chain.
 * Forms are immutable, so reading one through the array is enough to see it whole.
 */
final class EncodedForms {

    private final ExpressRoute<?, ?> route;
    private final @Nullable EncodedForms next;
    private final AtomicReferenceArray<@Nullable EncodedForm> forms;

    EncodedForms(ExpressRoute<?, ?> route, int representations, @Nullable EncodedForms next) {
        this.route = route;
        this.next = next;
        forms = new AtomicReferenceArray<>(representations * 2);
    }

    /** The forms of a route, or null where none was encoded for the entry. */
    static @Nullable EncodedForms of(HotEntry<?> entry, ExpressRoute<?, ?> route) {
        EncodedForms forms = entry.attachment() instanceof EncodedForms attached ? attached : null;
        while (forms != null && forms.route != route) {
            forms = forms.next;
        }
        return forms;
    }

    @Nullable
    EncodedForm get(int representation, boolean gzip) {
        return forms.get(index(representation, gzip));
    }

    void set(int representation, boolean gzip, EncodedForm form) {
        forms.set(index(representation, gzip), form);
    }

    private static int index(int representation, boolean gzip) {
        return representation * 2 + (gzip ? 1 : 0);
    }
}
