package dev.weir.lab.plan;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongSupplier;

/** Texts of a list, encoded as they are written. */
final class TextValue implements Value {
    private final List<String> texts;
    private final LongSupplier indexes;
    private String text = "";

    TextValue(List<String> texts, LongSupplier indexes) {
        this.texts = texts;
        this.indexes = indexes;
    }

    @Override
    public void advance() {
        text = texts.get((int) indexes.getAsLong());
    }

    @Override
    public void writeTo(ByteSink sink, Place place) {
        String written = place == Place.PATH ? PathEncoding.encodeValue(text) : text;
        sink.put(written.getBytes(StandardCharsets.UTF_8));
    }
}
