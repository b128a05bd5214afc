package dev.weir.store.provider;

import dev.weir.store.start.ParentProcess;
import dev.weir.store.start.PortFile;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The provider as a process of its own.
 *
 * <p>Arguments: {@code --port=N} (0 takes a free one), {@code --port-file=PATH}, {@code --exit-with-pid=N}, and the
 * settings of both endpoints such as {@code --payments.latency-millis=20 --messages.failure-rate=0.01}. Prints its
 * address as the first line and runs until it is stopped. Exits with 2 on an argument it does not know.
 */
public final class ProviderMain {

    static final String USAGE = "Arguments: --port=N --port-file=PATH --exit-with-pid=N, and for payments and messages "
            + "--payments.latency-millis=N .jitter-millis=N .failure-rate=0..1 .decline-rate=0..1 .limit-per-second=N";

    private static final Pattern ARGUMENT = Pattern.compile("--([a-z.-]+)=(.+)");

    private int port = 8090;
    private @Nullable Path portFile;
    private @Nullable Long parentPid;
    private Behaviour payments = Behaviour.DEFAULT;
    private Behaviour messages = Behaviour.DEFAULT;

    private ProviderMain() {}

    /** Starts the provider; see the class. */
    public static void main(String[] args) {
        System.exit(run(args));
    }

    private static int run(String[] args) {
        try {
            parse(args).serve();
            return 0;
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + System.lineSeparator() + USAGE);
            return 2;
        } catch (IOException e) {
            System.err.println("The provider cannot start: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    static ProviderMain parse(String... args) {
        var options = new ProviderMain();
        for (String arg : args) {
            options.set(arg);
        }
        return options;
    }

    Behaviour payments() {
        return payments;
    }

    Behaviour messages() {
        return messages;
    }

    private void set(String arg) {
        Matcher matcher = ARGUMENT.matcher(arg);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + arg + "' is not an argument of the form --name=value.");
        }
        String name = matcher.group(1);
        String value = matcher.group(2);
        switch (name) {
            case "port" -> port = (int) number(arg, value, 65_535);
            case "port-file" -> portFile = Path.of(value);
            case "exit-with-pid" -> parentPid = number(arg, value, Integer.MAX_VALUE);
            default -> setBehaviour(arg, name, value);
        }
    }

    private void setBehaviour(String arg, String name, String value) {
        String setting = camelCase(name.substring(name.indexOf('.') + 1));
        if (name.startsWith("payments.")) {
            payments = payments.with(setting, decimal(arg, value));
        } else if (name.startsWith("messages.")) {
            messages = messages.with(setting, decimal(arg, value));
        } else {
            throw new IllegalArgumentException("There is no argument --" + name + ".");
        }
    }

    private void serve() throws IOException, InterruptedException {
        try (ProviderServer server = start()) {
            System.out.println("provider " + server.url());
            if (portFile != null) {
                PortFile.write(portFile, server.port());
            }
            if (parentPid != null) {
                ParentProcess.exitWith(parentPid);
            }
            Thread.currentThread().join();
        }
    }

    private ProviderServer start() throws IOException {
        try {
            return ProviderServer.start(port, payments, messages);
        } catch (BindException e) {
            throw new IOException("port " + port + " is taken; give another one with --port, or 0 for a free one.", e);
        }
    }

    private static long number(String arg, String value, long max) {
        double number = decimal(arg, value);
        if (number < 0 || number > max || number != Math.rint(number)) {
            throw new IllegalArgumentException("'" + arg + "': give a whole number from 0 to " + max + ".");
        }
        return (long) number;
    }

    private static double decimal(String arg, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + arg + "': " + value + " is not a number.", e);
        }
    }

    private static String camelCase(String dashed) {
        return Pattern.compile("-([a-z])")
                .matcher(dashed)
                .replaceAll(match -> match.group(1).toUpperCase(java.util.Locale.ROOT));
    }
}
