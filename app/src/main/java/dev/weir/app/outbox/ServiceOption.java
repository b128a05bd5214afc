package dev.weir.app.outbox;

import dev.weir.lab.cli.ExitCode;
import dev.weir.lab.cli.UserException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Where the service's actuator is. */
@Command
final class ServiceOption {

    @Option(
            names = {"-u", "--url"},
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8080/actuator",
            description = "The service's actuator. Default: ${DEFAULT-VALUE}.")
    private String url = "";

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME:VALUE",
            description = "A header to send along, such as 'Authorization: Bearer ...'. Can be given several times.")
    private List<String> headers = List.of();

    OutboxClient client() {
        return new OutboxClient(address(), headers());
    }

    private URI address() {
        try {
            URI address = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
            if (address.getHost() != null && List.of("http", "https").contains(String.valueOf(address.getScheme()))) {
                return address;
            }
        } catch (IllegalArgumentException malformed) {
            throw noAddress(malformed);
        }
        throw noAddress(new IllegalArgumentException("no http or https"));
    }

    private UserException noAddress(IllegalArgumentException cause) {
        return new UserException(
                ExitCode.USAGE,
                "--url is '" + url + "'; it must be the address of an actuator, such as http://shop:8080/actuator",
                cause);
    }

    private Map<String, String> headers() {
        Map<String, String> all = new LinkedHashMap<>();
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new UserException(
                        ExitCode.USAGE, "--header must be NAME:VALUE, such as 'Authorization: Bearer ...'");
            }
            all.put(
                    header.substring(0, colon).strip(),
                    header.substring(colon + 1).strip());
        }
        return all;
    }
}
