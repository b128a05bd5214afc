package dev.weir.lab.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a column of a CSV file (RFC 4180) whose first line names the columns. */
final class CsvColumn {
    private static final int LARGEST_MEGABYTES = 32;

    /** The column's cells, in the file's order, at least one. */
    static List<String> read(Path file, String column) {
        List<List<String>> rows = rows(file, BoundedFile.text(file, LARGEST_MEGABYTES, ": take a part of it"));
        List<String> names = rows.isEmpty() ? List.of() : rows.getFirst();
        int index = names.indexOf(column);
        if (index < 0) {
            throw new PlanException(file + " has no column '" + column + "'" + Spelling.hint(column, names)
                    + ": its first line names " + (names.isEmpty() ? "none" : String.join(", ", names)));
        }
        if (rows.size() == 1) {
            throw new PlanException(file + " has no line below the one with the columns' names: add at least one");
        }
        return rows.subList(1, rows.size()).stream()
                .map(row -> cell(row, index))
                .toList();
    }

    private static String cell(List<String> row, int index) {
        return index < row.size() ? row.get(index) : "";
    }

    private static List<List<String>> rows(Path file, String content) {
        Rows rows = new Rows();
        for (int i = 0; i < content.length(); i++) {
            rows.take(content.charAt(i));
        }
        if (rows.state == State.QUOTED) {
            throw new PlanException(file + " opens a quoted cell in line " + rows.quoteLine + " and never closes it");
        }
        rows.endRow();
        return rows.rows;
    }

    private enum State {
        PLAIN,
        QUOTED,
        QUOTE_IN_QUOTED
    }

    /** The rows read so far, character by character; empty lines are no rows. */
    private static final class Rows {
        private final List<List<String>> rows = new ArrayList<>();
        private final StringBuilder cell = new StringBuilder();
        private List<String> row = new ArrayList<>();
        private State state = State.PLAIN;
        private int line = 1;
        private int quoteLine;

        void take(char c) {
            line += c == '\n' ? 1 : 0;
            switch (state) {
                case PLAIN -> takePlain(c);
                case QUOTED -> takeQuoted(c);
                case QUOTE_IN_QUOTED -> takeAfterQuote(c);
            }
        }

        private void takePlain(char c) {
            switch (c) {
                case ',' -> endCell();
                case '\n' -> endRow();
                case '\r' -> {}
                case '"' -> {
                    quoteLine = line;
                    state = State.QUOTED;
                }
                default -> cell.append(c);
            }
        }

        private void takeQuoted(char c) {
            if (c == '"') {
                state = State.QUOTE_IN_QUOTED;
            } else {
                cell.append(c);
            }
        }

        private void takeAfterQuote(char c) {
            if (c == '"') {
                cell.append(c);
                state = State.QUOTED;
            } else {
                state = State.PLAIN;
                takePlain(c);
            }
        }

        private void endCell() {
            row.add(cell.toString());
            cell.setLength(0);
        }

        private void endRow() {
            boolean isEmptyLine = row.isEmpty() && cell.isEmpty();
            if (!isEmptyLine) {
                endCell();
                rows.add(row);
                row = new ArrayList<>();
            }
        }
    }

    private CsvColumn() {}
}
