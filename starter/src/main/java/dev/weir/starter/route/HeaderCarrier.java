package dev.weir.starter.route;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The client sends back a response header as a request header of the same name. */
final class HeaderCarrier implements SessionCarrier {

    private final String name;

    HeaderCarrier(String name) {
        this.name = name;
    }

    @Override
    public @Nullable String read(HttpServletRequest request) {
        return request.getHeader(name);
    }

    @Override
    public List<String> readAll(HttpServletRequest request) {
        return Collections.list(request.getHeaders(name));
    }

    @Override
    public void write(HttpServletRequest request, HttpServletResponse response, String token) {
        response.setHeader(name, token);
    }
}
