package dev.weir.core.route;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source whose connections the router chooses; everything else is asked of the primary's pool. */
final class RoutedDataSource implements DataSource {

    /** Where connections come from. */
    interface Source {
        Connection connection() throws SQLException;
    }

    private final DataSource primaryPool;
    private final Source source;
    private final String description;

    RoutedDataSource(DataSource primaryPool, Source source, String description) {
        this.primaryPool = primaryPool;
        this.source = source;
        this.description = description;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return source.connection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "Routed connections take user and password from the configuration, not from the caller.");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : primaryPool.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || primaryPool.isWrapperFor(type);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return primaryPool.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        primaryPool.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        primaryPool.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return primaryPool.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return primaryPool.getParentLogger();
    }

    @Override
    public String toString() {
        return description;
    }
}
