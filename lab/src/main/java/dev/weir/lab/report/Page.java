package dev.weir.lab.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * The frame of every page: one file with its styles, scripts and data inside. Its content security policy forbids the
 * page every request and every script but its own two, which it names by their hash; so text that were to slip through
 * the escaping would still be inert.
 */
final class Page {

    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    static String render(String title, Html body, List<Plot> plots) {
        String plotScript = "/*\n" + Template.read(UPLOT + "LICENSE").strip() + "\n*/\n"
                + Template.read(UPLOT + "dist/uPlot.iife.min.js");
        String script = Template.read("/dev/weir/lab/report/report.js");
        List<Plot> drawn = plots.stream().filter(Plot::measured).toList();
        return Template.fill(
                        "page.html",
                        Map.of(
                                "policy", new Html(policy(plotScript, script)),
                                "title", Html.text(title),
                                "plot-css", new Html(Template.read(UPLOT + "dist/uPlot.min.css")),
                                "css", new Html(Template.read("/dev/weir/lab/report/report.css")),
                                "body", body,
                                "data", new Html(inert(JSON.writeValueAsString(drawn))),
                                "plot-script", new Html(plotScript),
                                "script", new Html(script)))
                .markup();
    }

    /** JSON that no HTML parser can take for the end of its script: these characters occur only inside strings. */
    static String inert(String json) {
        return json.replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    private static String policy(String... scripts) {
        StringBuilder policy = new StringBuilder(
                "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; " + "form-action 'none'; script-src");
        for (String script : scripts) {
            policy.append(" 'sha256-").append(hash(script)).append('\'');
        }
        return policy.toString();
    }

    private static String hash(String script) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private Page() {}
}
