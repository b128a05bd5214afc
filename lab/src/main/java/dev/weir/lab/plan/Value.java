package dev.weir.lab.plan;

/**
 * The value of one name in one engine thread: chosen once a request, then written wherever the name stands in it. Used
 * by that thread alone.
 */
interface Value {

    /** Where in a request a value stands, which decides how it is encoded. */
    enum Place {
        /** Percent-encoded. */
        PATH,
        /** As it is, without control characters. */
        HEADER,
        /** As it is. */
        BODY
    }

    /** Chooses the value of the next request. */
    void advance();

    /** Appends the value chosen last. */
    void writeTo(ByteSink sink, Place place);
}
