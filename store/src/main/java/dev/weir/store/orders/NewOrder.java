package dev.weir.store.orders;

import dev.weir.store.problems.ProblemException;
import dev.weir.store.problems.ProblemType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** What a customer wants; each product once. */
record NewOrder(long customerId, List<Line> lines) {

    record Line(long productId, int quantity) {}

    NewOrder {
        long products = lines.stream().mapToLong(Line::productId).distinct().count();
        if (products != lines.size()) {
            throw new ProblemException(
                    ProblemType.VALIDATION_FAILED,
                    "A product stands in items more than once: give each product once, with the whole quantity.");
        }
        // One order for every transaction that locks products, so that two of them cannot wait for each other.
        lines = lines.stream().sorted(Comparator.comparingLong(Line::productId)).toList();
    }

    /** The same for two bodies that ask for the same, whatever their spacing and the order of their items. */
    String fingerprint() {
        var text = new StringBuilder().append(customerId);
        lines.forEach(
                line -> text.append(';').append(line.productId()).append('x').append(line.quantity()));
        byte[] hash = sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
