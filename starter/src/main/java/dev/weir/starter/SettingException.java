package dev.weir.starter;

/**
 * A setting that cannot be used. Thrown where settings are checked; the start then fails with these sentences and without
 * a stack trace.
 */
public final class SettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * @param property the whole name, such as {@code weir.threads.pinning.threshold}
     * @param given the value as it was given
     * @param allowed what is allowed, as it follows "it must be": "a duration of at least 1ms"
     * @param action what to do, a whole sentence
     */
    public SettingException(String property, Object given, String allowed, String action) {
        super(property + " is '" + given + "': it must be " + allowed + ".");
        this.action = action;
    }

    private SettingException(String sentence, String action) {
        super(sentence);
        this.action = action;
    }

    /** For what is wrong with a setting besides its value; both are whole sentences. */
    public static SettingException saying(String sentence, String action) {
        return new SettingException(sentence, action);
    }

    /** What to do, a whole sentence. */
    public String action() {
        return action;
    }
}
