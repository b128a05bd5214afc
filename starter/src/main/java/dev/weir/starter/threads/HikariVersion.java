package dev.weir.starter.threads;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of HikariCP on the class path. Before 7.1.0 a virtual thread that waits for a connection spins and keeps
 * its carrier from the threads that could give one back (HikariCP issue 2398).
 */
final class HikariVersion {

    private static final String DESCRIPTION = "META-INF/maven/com.zaxxer/HikariCP/pom.properties";
    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+).*");

    private HikariVersion() {}

    /** The version, where HikariCP is there and says it. */
    static Optional<String> on(ClassLoader loader) {
        try (@Nullable InputStream description = loader.getResourceAsStream(DESCRIPTION)) {
            if (description == null) {
                return Optional.empty();
            }
            var properties = new Properties();
            properties.load(description);
            return Optional.ofNullable(properties.getProperty("version"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether this version spins; no for one that cannot be read. */
    static boolean spins(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        if (!numbers.matches()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        return major < 7 || (major == 7 && Integer.parseInt(numbers.group(2)) < 1);
    }
}
