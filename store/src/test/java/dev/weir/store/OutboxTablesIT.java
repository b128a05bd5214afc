package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.outbox.OutboxConfig;
import dev.weir.core.outbox.OutboxSchema;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The migrations write the outbox's tables out; they must be those that the outbox itself would make. */
class OutboxTablesIT {

    private static final String MADE = "made_outbox";
    private static final List<String> PARTS = List.of("", "_parked", "_lease", "_member");

    @RegisterExtension
    static final RunningStore store = new RunningStore();

    private final JdbcTemplate jdbc = store.bean(JdbcTemplate.class);

    @BeforeEach
    void make() {
        drop();
        OutboxSchema.statements(OutboxConfig.defaults().withTable(MADE)).forEach(jdbc::execute);
    }

    @AfterEach
    void drop() {
        PARTS.forEach(part -> jdbc.execute("drop table if exists " + MADE + part));
    }

    @ParameterizedTest
    @ValueSource(strings = {"totals_outbox", "message_outbox"})
    void theMigrationsMakeWhatTheOutboxWants(String table) {
        assertThat(tables(table)).isEqualTo(tables(MADE));
        assertThat(lanes(table)).isEqualTo(lanes(MADE));
    }

    private List<String> tables(String table) {
        return PARTS.stream().flatMap(part -> describe(table, table + part)).toList();
    }

    /** Columns, indexes and storage settings, without the table's own name. */
    private Stream<String> describe(String table, String part) {
        List<String> columns = jdbc.queryForList(
                "select concat_ws(' ', column_name, data_type, 'null', is_nullable, 'default', column_default, 'identity',"
                        + " identity_generation) from information_schema.columns where table_name = ? order by column_name",
                String.class,
                part);
        List<String> indexes = jdbc.queryForList(
                "select indexdef from pg_indexes where tablename = ? order by indexname", String.class, part);
        List<String> settings = jdbc.queryForList(
                "select unnest(reloptions) from pg_class where oid = to_regclass(?) order by 1", String.class, part);
        assertThat(columns).as(part).isNotEmpty();
        return Stream.of(columns, indexes, settings)
                .flatMap(List::stream)
                .map(line -> Objects.requireNonNull(line).replace(table, "outbox"));
    }

    private List<Integer> lanes(String table) {
        return jdbc.queryForList("select lane from " + table + "_lease order by lane", Integer.class);
    }
}
