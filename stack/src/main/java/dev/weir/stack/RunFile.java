package dev.weir.stack;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What a run writes down about itself, {@code run.properties} in its folder: enough to show it, to stop it and to clear what it
 * left.
 *
 * @param id name of the run, which is the name of its folder
 * @param origin who started it
 * @param owner the process that holds the servers
 * @param state how far it is
 * @param servers the servers that were started so far
 * @param password of PostgreSQL's user
 */
record RunFile(String id, Origin origin, ProcessId owner, State state, List<Entry> servers, String password) {
    static final String NAME = "run.properties";

    private static final String FORMAT = "1";

    /** Who started a run: only runs of the command are stopped by {@code weir stack down}. */
    enum Origin {
        COMMAND,
        JAVA
    }

    /** How far a run is. */
    enum State {
        STARTING,
        READY
    }

    /** One server. */
    record Entry(String name, int port, ProcessId process) {}

    RunFile {
        servers = List.copyOf(servers);
    }

    String print() {
        Properties properties = new Properties();
        properties.setProperty("format", FORMAT);
        properties.setProperty("id", id);
        properties.setProperty("origin", origin.name());
        properties.setProperty("state", state.name());
        properties.setProperty("password", password);
        putProcess(properties, "owner", owner);
        properties.setProperty(
                "servers", String.join(",", servers.stream().map(Entry::name).toList()));
        for (Entry server : servers) {
            properties.setProperty(server.name() + ".port", Integer.toString(server.port()));
            putProcess(properties, server.name(), server.process());
        }
        StringWriter text = new StringWriter();
        try {
            properties.store(text, null);
        } catch (IOException e) {
            throw new IllegalStateException("A string cannot fail to be written.", e);
        }
        return text.toString();
    }

    private static void putProcess(Properties properties, String name, ProcessId process) {
        properties.setProperty(name + ".pid", Long.toString(process.pid()));
        properties.setProperty(name + ".startMillis", Long.toString(process.startMillis()));
        properties.setProperty(name + ".executable", process.executable());
    }

    /** Reads what {@link #print} wrote; IllegalArgumentException names what is missing or wrong. */
    static RunFile parse(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new IllegalArgumentException("The run file cannot be read.", e);
        }
        if (!FORMAT.equals(properties.getProperty("format"))) {
            throw new IllegalArgumentException(
                    "The run file has the format %s, not %s.".formatted(properties.getProperty("format"), FORMAT));
        }
        return new RunFile(
                required(properties, "id"),
                Origin.valueOf(required(properties, "origin")),
                process(properties, "owner"),
                State.valueOf(required(properties, "state")),
                servers(properties),
                properties.getProperty("password", ""));
    }

    private static List<Entry> servers(Properties properties) {
        List<Entry> servers = new ArrayList<>();
        for (String name : required(properties, "servers").split(",", -1)) {
            if (!name.isEmpty()) {
                servers.add(new Entry(
                        name, Math.toIntExact(number(properties, name + ".port")), process(properties, name)));
            }
        }
        return servers;
    }

    private static ProcessId process(Properties properties, String name) {
        return new ProcessId(
                number(properties, name + ".pid"),
                number(properties, name + ".startMillis"),
                required(properties, name + ".executable"));
    }

    private static long number(Properties properties, String key) {
        String value = required(properties, key);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("The run file says %s=%s, which is no number.".formatted(key, value), e);
        }
    }

    private static String required(Properties properties, String key) {
        String value = properties.getProperty(key);
        if (value == null) {
            throw new IllegalArgumentException("The run file lacks %s.".formatted(key));
        }
        return value;
    }

    static RunFile read(Path folder) throws IOException {
        return parse(Files.readString(folder.resolve(NAME)));
    }

    /** Replaces the file in one step: a reader sees the old or the new one, never half of it. */
    void write(Path folder) throws IOException {
        Path fresh = folder.resolve(NAME + ".new");
        Files.deleteIfExists(fresh);
        Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(fresh, print());
        Files.move(fresh, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }
}
