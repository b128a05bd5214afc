package dev.weir.lab.plan;

import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The service under load and the path given with it.
 *
 * @param tls whether the scheme is https
 * @param host name or address as the resolver takes it; an IPv6 address without brackets
 * @param port 1 to 65535
 * @param path path and query as sent in the request line, percent-encoded, beginning with {@code /}
 */
public record Target(boolean tls, String host, int port, String path) {

    private static final Pattern URL = Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^#]*)(?:#.*)?");
    private static final Pattern AUTHORITY = Pattern.compile("(\\[[^\\]]*\\]|[^:\\[]*)(?::(.*))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?");

    /**
     * Reads an http or https URL. Spaces and characters outside ASCII in path and query are percent-encoded as UTF-8,
     * in the host by IDNA; a fragment is left out, as it is never sent.
     *
     * @throws PlanException with one sentence, if it is not one
     */
    public static Target parse(String url) {
        Matcher parts = URL.matcher(url.strip());
        if (!parts.matches()) {
            throw new PlanException("'" + url + "' is not a URL with a scheme: write http://" + hint(url));
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new PlanException("'" + url + "' has the scheme " + scheme + ": Weir speaks http and https only");
        }
        return of(url, scheme.equals("https"), parts.group(2), parts.group(3));
    }

    private static Target of(String url, boolean tls, String authority, String path) {
        if (authority.contains("@")) {
            throw new PlanException("the URL holds a user name or password: send them as a header instead, -H"
                    + " 'Authorization: Basic ...'");
        }
        Matcher parts = AUTHORITY.matcher(authority);
        if (!parts.matches()) {
            throw new PlanException("'" + url + "' has no readable host and port: write http://host:port/path");
        }
        String host = host(url, parts.group(1));
        int port = port(url, parts.group(2), tls);
        return new Target(tls, host, port, PathEncoding.encode(path.startsWith("/") ? path : "/" + path));
    }

    private static String hint(String url) {
        String rest = url.strip().replaceFirst("^(?i:https?:)?[:/]*", "");
        return rest.isEmpty() ? "host:port/path" : rest;
    }

    private static String host(String url, String written) {
        if (written.isEmpty()) {
            throw new PlanException("'" + url + "' names no host: write http://host:port/path");
        }
        if (written.startsWith("[")) {
            return ipv6(url, written.substring(1, written.length() - 1));
        }
        String host = toAscii(url, written);
        if (!NAME.matcher(host).matches()) {
            throw new PlanException("'" + url + "' has the host '" + written
                    + "', which is neither a name nor an address: only letters, digits, '-' and '.' are allowed");
        }
        return host;
    }

    private static String ipv6(String url, String literal) {
        try {
            if (InetAddress.ofLiteral(literal) instanceof Inet6Address) {
                return literal;
            }
        } catch (IllegalArgumentException e) {
            throw new PlanException(
                    "'" + url + "' has no IPv6 address between its brackets: write http://[::1]:8080/", e);
        }
        throw new PlanException("'" + url + "' has an IPv4 address in brackets: write it without them");
    }

    private static String toAscii(String url, String host) {
        if (host.chars().allMatch(c -> c < 0x80)) {
            return host;
        }
        try {
            return IDN.toASCII(host);
        } catch (IllegalArgumentException e) {
            throw new PlanException("'" + url + "' has a host that is no valid international name: " + host, e);
        }
    }

    private static int port(String url, @Nullable String written, boolean tls) {
        if (written == null || written.isEmpty()) {
            return tls ? 443 : 80;
        }
        int port = written.matches("[0-9]{1,5}") ? Integer.parseInt(written) : -1;
        if (port < 1 || port > 65_535) {
            throw new PlanException("'" + url + "' has the port '" + written + "': a port is a number from 1 to 65535");
        }
        return port;
    }

    /** Value of the Host header: the port is left out where it is the scheme's own. */
    public String hostHeader() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }

    /** Host and port as messages name them; an IPv6 address in brackets. */
    public String endpoint() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** The URL as requests are sent to it. */
    public String url() {
        return (tls ? "https://" : "http://") + hostHeader() + path;
    }

    @Override
    public String toString() {
        return url();
    }
}
