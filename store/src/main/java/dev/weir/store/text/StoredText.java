package dev.weir.store.text;

/** What others said, such as a provider, a client's server or an exception, as the database takes it. */
public final class StoredText {

    /** Longer texts are cut. */
    public static final int MOST_CHARS = 500;

    private StoredText() {}

    /** The text at a bounded length, with a question mark for each control character and half of a surrogate pair. */
    public static String of(String said) {
        String head = said.length() <= MOST_CHARS ? said : said.substring(0, MOST_CHARS);
        StringBuilder kept = new StringBuilder(head.length());
        head.codePoints()
                .map(each ->
                        Character.isISOControl(each) || Character.getType(each) == Character.SURROGATE ? '?' : each)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }
}
