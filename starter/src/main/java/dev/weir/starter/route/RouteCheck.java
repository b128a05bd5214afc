package dev.weir.starter.route;

import dev.weir.core.route.PrimaryScope;
import dev.weir.core.route.RouteCounters;
import dev.weir.core.route.RouteCounters.Reason;
import dev.weir.core.route.Router;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Opens a read-only and a writing transaction at start, as the application will, and looks which of the router's sides they
 * reach. A wrapper around the data source that asks the connection anything before the transaction has said that it is
 * read-only sends all reads to the primary, silently; this finds it (datasource-micrometer issue 114). The read is made
 * inside a {@link PrimaryScope}, so that the outcome does not depend on the replicas.
 */
final class RouteCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(RouteCheck.class);
    private static final Duration FIRST_ANSWERS = Duration.ofSeconds(2);

    /** What the check found. */
    sealed interface Finding {}

    record Passed() implements Finding {}

    /**
     * Nothing found, since it could not be made.
     *
     * @param reason a whole sentence
     */
    record NotChecked(String reason) implements Finding {}

    /**
     * Routing does not work.
     *
     * @param problem a whole sentence
     */
    record Broken(String problem) implements Finding {}

    private final RouteProperties properties;
    private final Routing routing;
    private final BeanFactory beans;
    private final ObjectProvider<PlatformTransactionManager> transactions;
    private volatile Finding finding = new NotChecked("The start has not come to it yet.");

    RouteCheck(
            RouteProperties properties,
            Routing routing,
            BeanFactory beans,
            ObjectProvider<PlatformTransactionManager> transactions) {
        this.properties = properties;
        this.routing = routing;
        this.beans = beans;
        this.transactions = transactions;
    }

    Finding finding() {
        return finding;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!beans.containsBean(properties.dataSource())) {
            return;
        }
        DataSource outermost = beans.getBean(properties.dataSource(), DataSource.class);
        Router router = routing.router();
        if (router == null) {
            return;
        }
        router.awaitFirstAnswers(FIRST_ANSWERS);
        if (properties.selfCheck() == RouteProperties.SelfCheck.OFF) {
            finding = new NotChecked("It is switched off.");
            return;
        }
        finding = check(router.counters(), outermost);
        switch (finding) {
            case Broken broken
            when properties.selfCheck() == RouteProperties.SelfCheck.FAIL ->
                throw new RouteBrokenException(broken.problem());
            case Broken broken -> log.warn("weir.route: {}", broken.problem());
            case NotChecked not -> log.warn("weir.route: routing was not checked at start. {}", not.reason());
            case Passed passed -> log.debug("weir.route: {}", passed);
        }
    }

    private Finding check(RouteCounters counters, DataSource outermost) {
        PlatformTransactionManager manager = transactions.getIfUnique();
        if (manager == null) {
            return new NotChecked("There is no single transaction manager to open a transaction with.");
        }
        try {
            return check(counters, manager, outermost);
        } catch (SQLException | TransactionException e) {
            return new NotChecked("The database does not answer: " + e.getMessage());
        }
    }

    private static Finding check(RouteCounters counters, PlatformTransactionManager manager, DataSource outermost)
            throws SQLException {
        long readsBefore = counters.primaryReads(Reason.SCOPE);
        var scoped = new Transaction(manager, outermost, true);
        PrimaryScope.run(scoped);
        scoped.rethrow();
        if (!scoped.usedDataSource) {
            return new NotChecked("The transaction manager does not use this data source.");
        }
        if (counters.primaryReads(Reason.SCOPE) == readsBefore) {
            return new Broken(
                    "A read-only transaction took a connection for writing. Something around the data source (its class is %s) asks the connection a question before the transaction has said that it is read-only."
                            .formatted(outermost.getClass().getName()));
        }
        long writesBefore = counters.writes();
        var writing = new Transaction(manager, outermost, false);
        writing.run();
        writing.rethrow();
        return counters.writes() > writesBefore
                ? new Passed()
                : new Broken("A writing transaction did not take a connection for writing.");
    }

    /** One transaction with one statement, as the application would make it. */
    private static final class Transaction implements Runnable {
        private final TransactionTemplate template;
        private final DataSource source;
        private @Nullable SQLException failure;
        private boolean usedDataSource;

        Transaction(PlatformTransactionManager manager, DataSource source, boolean readOnly) {
            this.template = new TransactionTemplate(manager);
            this.template.setReadOnly(readOnly);
            this.source = source;
        }

        @Override
        public void run() {
            template.executeWithoutResult(status -> {
                usedDataSource = TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder;
                if (!usedDataSource) {
                    return;
                }
                var connection = DataSourceUtils.getConnection(source);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SELECT 1");
                } catch (SQLException e) {
                    failure = e;
                } finally {
                    DataSourceUtils.releaseConnection(connection, source);
                }
            });
        }

        void rethrow() throws SQLException {
            if (failure != null) {
                throw failure;
            }
        }
    }
}
