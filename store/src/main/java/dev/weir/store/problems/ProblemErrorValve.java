package dev.weir.store.problems;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Problems for what Tomcat refuses before the application sees it, such as a path that cannot be decoded; public
 * because Tomcat makes it by its name.
 */
public class ProblemErrorValve extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        byte[] body = json(status).getBytes(StandardCharsets.UTF_8);
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.finishResponse();
        } catch (IOException | IllegalStateException e) {
            container.getLogger().debug("The client is gone before its problem was written", e);
        }
    }

    /** Without the path: what Tomcat refuses is often not a path that can be repeated safely. */
    static String json(int status) {
        HttpStatus known = HttpStatus.resolve(status);
        String title = known == null ? "Error" : known.getReasonPhrase();
        return "{\"title\":\"" + title + "\",\"status\":" + status + "}";
    }
}
