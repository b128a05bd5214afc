package dev.weir.store.catalog;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Fills an empty catalog before the server takes its first request.
 *
 * <p>The rows go through COPY in one transaction, so a start that is cut off leaves an empty table and the next one
 * begins again. An advisory lock lets one of several instances that start together do it while the others wait.
 */
@Component
class CatalogSeeder implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(CatalogSeeder.class);
    private static final long ADVISORY_LOCK = 0x5745_4952L;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final String COPY =
            "copy products (id, sku, name, brand, category, description, price_cents, stock, updated_at) from stdin";

    private final JdbcTemplate jdbc;
    private final TransactionOperations transactions;
    private final SeedSettings settings;

    CatalogSeeder(DataSource dataSource, TransactionOperations transactions, SeedSettings settings) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.transactions = transactions;
        this.settings = settings;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (settings.products() > 0 && isEmpty()) {
            seed();
        }
    }

    private boolean isEmpty() {
        return !Boolean.TRUE.equals(jdbc.queryForObject("select exists (select from products)", Boolean.class));
    }

    private void seed() {
        long startNanos = System.nanoTime();
        transactions.executeWithoutResult(status -> {
            jdbc.execute("set local lock_timeout = '60s'");
            jdbc.execute("select pg_advisory_xact_lock(" + ADVISORY_LOCK + ")");
            if (isEmpty()) {
                jdbc.execute((ConnectionCallback<Long>) this::copy);
            }
        });
        // Without statistics the first searches would be planned for an empty table.
        jdbc.execute("analyze products");
        log.info(
                "Seeded {} products in {} ms",
                settings.products(),
                Duration.ofNanos(System.nanoTime() - startNanos).toMillis());
    }

    private Long copy(Connection connection) throws SQLException {
        CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY);
        try {
            writeProducts(copy);
            return copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private void writeProducts(CopyIn copy) throws SQLException {
        var lines = new StringBuilder(BUFFER_BYTES + 2_048);
        for (long id = 1; id <= settings.products(); id++) {
            appendLine(lines, SeedText.product(id));
            if (lines.length() >= BUFFER_BYTES || id == settings.products()) {
                byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
                copy.writeToCopy(bytes, 0, bytes.length);
                lines.setLength(0);
            }
        }
    }

    /** COPY's text format; the seed text holds no tab, newline or backslash that would need an escape. */
    private static void appendLine(StringBuilder lines, Product product) {
        lines.append(product.id())
                .append('\t')
                .append(product.sku())
                .append('\t')
                .append(product.name())
                .append('\t')
                .append(product.brand())
                .append('\t')
                .append(product.category())
                .append('\t')
                .append(product.description())
                .append('\t')
                .append(product.priceCents())
                .append('\t')
                .append(product.stock())
                .append('\t')
                .append(product.updatedAt())
                .append('\n');
    }
}
