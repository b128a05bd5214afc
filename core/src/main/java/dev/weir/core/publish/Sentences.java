package dev.weir.core.publish;

/** Other libraries' messages as parts of our own sentences. */
final class Sentences {
    private Sentences() {}

    /** What a failure says, without a full stop; its type where it says nothing. */
    static String open(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : open(message);
    }

    /** A sentence without its full stop. */
    static String open(String sentence) {
        int end = sentence.length();
        while (end > 0 && sentence.charAt(end - 1) == '.') {
            end--;
        }
        return sentence.substring(0, end);
    }
}
