package dev.weir.lab.engine;

import org.jspecify.annotations.Nullable;

/** Connections in the order they came, linked through themselves; a connection is in one list at most. */
final class ConnectionList {
    private @Nullable Connection first;
    private @Nullable Connection last;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Connection first() {
        return first;
    }

    /** Puts a connection at the end, out of the list it was in. */
    void add(Connection connection) {
        ConnectionList from = connection.list;
        if (from != null) {
            from.remove(connection);
        }
        connection.list = this;
        connection.previous = last;
        if (last == null) {
            first = connection;
        } else {
            last.next = connection;
        }
        last = connection;
        size++;
    }

    private void remove(Connection connection) {
        Connection before = connection.previous;
        Connection after = connection.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        connection.previous = null;
        connection.next = null;
        connection.list = null;
        size--;
    }
}
