package dev.weir.starter.shed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.shed.CallerKeys;
import dev.weir.core.shed.Priority;
import dev.weir.starter.WeirAutoConfiguration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

class HandlerPrioritiesTest {

    @RestController
    @RequestPriority(Priority.LOW)
    static class Reports {

        @GetMapping("/reports/{day}")
        public String report() {
            return "";
        }

        @RequestPriority(Priority.CRITICAL)
        @GetMapping("/reports/today")
        public String today() {
            return "";
        }

        @GetMapping(path = "/reports/week", params = "slow")
        public String slow() {
            return "";
        }

        @RequestPriority(Priority.NORMAL)
        @GetMapping(path = "/reports/week", params = "!slow")
        public String fast() {
            return "";
        }
    }

    @RestController
    static class Orders {

        @RequestPriority(Priority.CRITICAL)
        @PostMapping("/orders")
        public String place() {
            return "";
        }

        @GetMapping({"/orders", "/orders/open"})
        public String list() {
            return "";
        }

        @RequestPriority(Priority.LOW)
        @DeleteMapping("/orders/{id}/**")
        public String remove() {
            return "";
        }

        @RequestPriority(Priority.LOW)
        @RequestMapping("/{page}/print")
        public String print() {
            return "";
        }
    }

    private final WebApplicationContextRunner web = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    WebMvcAutoConfiguration.class, WeirAutoConfiguration.class, ShedAutoConfiguration.class))
            .withPropertyValues("weir.shed.enabled=true");

    @ParameterizedTest
    @CsvSource({
        "GET, /reports/monday, LOW",
        "HEAD, /reports/monday, LOW",
        "GET, /reports/today, CRITICAL",
        "GET, /reports/%74oday, CRITICAL",
        "GET, /reports/week, NORMAL",
        "POST, /orders, CRITICAL",
        "GET, /orders, ",
        "GET, /orders/open, ",
        "DELETE, /orders/7/lines/2, LOW",
        "GET, /orders/print, LOW",
        "GET, /anything/print, LOW",
        "GET, /, ",
        "GET, /nothing, ",
        "DELETE, /reports/monday, ",
    })
    void theBestMatchingHandlerSaysIt(String method, String path, @Nullable Priority expected) {
        web.withBean(Reports.class)
                .withBean(Orders.class)
                .run(context -> assertThat(
                                context.getBean(PriorityByHandler.class).of(new MockHttpServletRequest(method, path)))
                        .isEqualTo(expected));
    }

    private static Priority priority(RequestPrioritizer bean, @Nullable String header) {
        var callers = new Callers(
                bean,
                "X-Request-Priority",
                List.of(AddressRange.of("127.0.0.0/8")),
                request -> Priority.LOW,
                new CallerKeys(new Random(1)));
        var request = new MockHttpServletRequest("GET", "/");
        if (header != null) {
            request.addHeader("X-Request-Priority", header);
        }
        return callers.of(request).priority();
    }

    @Test
    void theBeanComesBeforeTheTrustedHeaderAndThatBeforeTheAnnotation() {
        assertThat(priority(request -> Priority.CRITICAL, "normal")).isEqualTo(Priority.CRITICAL);
        assertThat(priority(request -> null, "normal")).isEqualTo(Priority.NORMAL);
        assertThat(priority(request -> null, null)).isEqualTo(Priority.LOW);
        assertThat(priority(request -> null, "highest!")).isEqualTo(Priority.LOW);
    }
}
