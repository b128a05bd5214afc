package dev.weir.lab.load;

import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes results in their published format. */
public final class LoadJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .build();

    /** The result as JSON, with a line break at its end. */
    public static String text(LoadResult result) {
        return MAPPER.writeValueAsString(result) + "\n";
    }

    private LoadJson() {}
}
