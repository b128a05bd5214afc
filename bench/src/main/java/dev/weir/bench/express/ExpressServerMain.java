package dev.weir.bench.express;

import dev.weir.core.express.CaffeineHotEntries;
import dev.weir.core.express.ExpressRoute;
import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.express.ExpressAutoConfiguration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * One Spring Boot service with the same product three times: {@code /api/products/42} on the express lane,
 * {@code /mvc/bytes/42} as a controller that has the bytes, {@code /mvc/json/42} as one that has the record and leaves the
 * rest to Spring. A request with a header the port lane does not know measures the filter lane.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    PropertyPlaceholderAutoConfiguration.class,
    TomcatServletWebServerAutoConfiguration.class,
    DispatcherServletAutoConfiguration.class,
    HttpEncodingAutoConfiguration.class,
    HttpMessageConvertersAutoConfiguration.class,
    JacksonAutoConfiguration.class,
    WebMvcAutoConfiguration.class,
    WeirAutoConfiguration.class,
    ExpressAutoConfiguration.class
})
@RestController
public class ExpressServerMain {

    private static final Product PRODUCT = new Product(42, "Weir", "x".repeat(807));
    private static final byte[] BYTES = PRODUCT.json();

    /** What is served: 840 bytes of JSON. */
    public record Product(long id, String name, String text) {

        byte[] json() {
            return ("{\"id\":" + id + ",\"name\":\"" + name + "\",\"text\":\"" + text + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Takes Spring's arguments, {@code --server.port} among them. */
    public static void main(String[] arguments) {
        new SpringApplication(ExpressServerMain.class).run(arguments);
    }

    @Bean
    ExpressRoute<Long, Product> products() {
        CaffeineHotEntries<Long, Product> entries =
                new CaffeineHotEntries<>(1000, Duration.ofHours(1), id -> id == PRODUCT.id() ? PRODUCT : null);
        return ExpressRoute.<Long, Product>of("/api/products/{id}", Long::valueOf, entries)
                .produces("application/json", Product::json)
                .build();
    }

    /** What Tomcat itself costs: a servlet that does nothing but write the bytes. */
    @Bean
    ServletRegistrationBean<HttpServlet> bare() {
        ServletRegistrationBean<HttpServlet> bare = new ServletRegistrationBean<>(new Bare(), "/bare");
        bare.setLoadOnStartup(1);
        return bare;
    }

    private static final class Bare extends HttpServlet {

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            response.setContentLength(BYTES.length);
            response.getOutputStream().write(BYTES);
        }
    }

    @GetMapping("/mvc/bytes/{id}")
    ResponseEntity<byte[]> bytes(@PathVariable long id) {
        return id == PRODUCT.id()
                ? ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(BYTES)
                : ResponseEntity.notFound().build();
    }

    @GetMapping("/mvc/json/{id}")
    ResponseEntity<Product> json(@PathVariable long id) {
        return id == PRODUCT.id()
                ? ResponseEntity.ok(PRODUCT)
                : ResponseEntity.notFound().build();
    }
}
