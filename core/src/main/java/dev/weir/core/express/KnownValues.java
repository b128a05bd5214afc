package dev.weir.core.express;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/**
 * Header values that common clients send, each with what {@link Negotiation} makes of it. The poller thread understands no
 * others; the filter lane looks here first and parses the rest.
 */
final class KnownValues {

    static final int UNKNOWN = -2;

    private static final List<String> ENCODINGS = List.of(
            "gzip",
            "gzip, deflate, br, zstd",
            "gzip, deflate, br",
            "gzip, deflate",
            "gzip,deflate",
            "deflate, gzip",
            "deflate, gzip, br, zstd",
            "br, gzip",
            "gzip;q=1.0,deflate;q=0.6,identity;q=0.3",
            "identity");

    private final byte[][] values;
    private final int[] results;
    private final Map<String, Integer> byText = new HashMap<>();

    private KnownValues(List<String> texts, List<Integer> results) {
        values = texts.stream()
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
        this.results = results.stream().mapToInt(Integer::intValue).toArray();
        for (int i = 0; i < this.results.length; i++) {
            byText.put(texts.get(i), this.results[i]);
        }
    }

    /** Values of Accept for a route; the result is the index of the media type. */
    static KnownValues ofAccept(List<String> mediaTypes) {
        SequencedSet<String> candidates = new LinkedHashSet<>(mediaTypes);
        candidates.add("*/*");
        for (String type : mediaTypes) {
            candidates.add(type + ", */*");
            candidates.add(type + ", text/plain, */*");
            candidates.add(type + ", application/*+json");
        }
        List<String> known = new ArrayList<>();
        List<Integer> results = new ArrayList<>();
        for (String candidate : candidates) {
            int representation = Negotiation.representation(mediaTypes, List.of(candidate));
            if (representation != Negotiation.NOT_ACCEPTABLE) {
                known.add(candidate);
                results.add(representation);
            }
        }
        return new KnownValues(known, results);
    }

    /** Values of Accept-Encoding; the result is 1 where gzip is wanted, else 0. */
    static KnownValues ofAcceptEncoding() {
        List<Integer> results = ENCODINGS.stream()
                .map(encoding -> Negotiation.gzip(List.of(encoding)) ? 1 : 0)
                .toList();
        return new KnownValues(ENCODINGS, results);
    }

    /** The result of the value in {@code bytes[from, to)}, or {@link #UNKNOWN}. */
    int find(byte[] bytes, int from, int to) {
        for (int i = 0; i < values.length; i++) {
            if (Bytes.equal(values[i], bytes, from, to)) {
                return results[i];
            }
        }
        return UNKNOWN;
    }

    /** The result of a value, or {@link #UNKNOWN}. */
    int find(String value) {
        return byText.getOrDefault(value, UNKNOWN);
    }
}
