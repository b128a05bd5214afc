package dev.weir.lab.report;

import java.util.ArrayList;
import java.util.List;

/** An HTML table with a caption that scrolls inside the page. The first cell of a row is its header. */
final class Table {

    private record Column(String title, String unit, String kind) {}

    private final String caption;
    private final List<Column> columns = new ArrayList<>();
    private final List<Html> rows = new ArrayList<>();

    Table(String caption) {
        this.caption = caption;
    }

    Table number(String title, String unit) {
        columns.add(new Column(title, unit, " class=\"number\""));
        return this;
    }

    Table text(String title) {
        columns.add(new Column(title, "", ""));
        return this;
    }

    /** A column for whole sentences: it keeps a readable width. */
    Table words(String title) {
        columns.add(new Column(title, "", " class=\"words\""));
        return this;
    }

    Table row(List<Html> cells) {
        List<Html> row = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            String tag = (i == 0 ? "th scope=\"row\"" : "td") + columns.get(i).kind;
            row.add(Html.element(tag, cells.get(i)));
        }
        rows.add(Html.element("tr", Html.join(row)));
        return this;
    }

    Table row(Object... cells) {
        List<Html> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell instanceof Html html ? html : Html.text(String.valueOf(cell)));
        }
        return row(row);
    }

    Html render() {
        Html head = Html.join(columns.stream().map(Table::head).toList());
        Html table = Html.element(
                "table",
                Html.element("caption", caption),
                Html.element("thead", Html.element("tr", head)),
                Html.element("tbody", Html.join(rows)));
        String region = "div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: "
                + Html.text(caption).markup() + "\"";
        return new Html("<" + region + ">" + table.markup() + "</div>\n");
    }

    private static Html head(Column column) {
        Html unit = column.unit.isEmpty() ? Html.EMPTY : Html.element("span class=\"unit\"", column.unit);
        return Html.element("th scope=\"col\"" + column.kind, Html.text(column.title), unit);
    }
}
