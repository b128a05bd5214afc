package dev.weir.starter.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page of the guide and the files it tells its reader to write: a line with the path, then the content in a fence. */
record GuidePage(String text) {

    private static final Pattern FILE =
            Pattern.compile("^`([^`\\s]+)`\\n\\n```\\w+\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    static GuidePage read(Path file) throws IOException {
        return new GuidePage(Files.readString(file));
    }

    /** Contents by path. */
    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        Matcher file = FILE.matcher(text);
        while (file.find()) {
            files.put(file.group(1), file.group(2));
        }
        return files;
    }

    /** Writes all files below the folder. */
    void writeTo(Path folder) throws IOException {
        for (Map.Entry<String, String> file : files().entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
