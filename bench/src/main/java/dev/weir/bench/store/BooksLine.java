package dev.weir.bench.store;

import java.util.Locale;

/** What a bench of orders says about the state it leaves. */
final class BooksLine {

    private BooksLine() {}

    /** Prints it; answers whether all adds up. */
    static boolean print(OrderForms.Books books) {
        System.out.printf(
                Locale.ROOT,
                "Afterwards: %,d paid orders over %,d cents and %,d items; the totals of the days say %,d and %,d, the shelves"
                        + " %,d: %s.%n",
                books.paidOrders(),
                books.paidCents(),
                books.paidItems(),
                books.totalOrders(),
                books.totalCents(),
                books.soldItems(),
                books.right() ? "right" : "WRONG");
        return books.right();
    }
}
