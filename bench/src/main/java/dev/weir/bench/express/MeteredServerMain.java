package dev.weir.bench.express;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The service of {@link ExpressServerMain} as most are run: with a Prometheus registry and Spring's observation of requests. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    MetricsAutoConfiguration.class,
    CompositeMeterRegistryAutoConfiguration.class,
    PrometheusMetricsExportAutoConfiguration.class,
    ObservationAutoConfiguration.class,
    WebMvcObservationAutoConfiguration.class
})
public class MeteredServerMain extends ExpressServerMain {

    /** Takes Spring's arguments, {@code --server.port} among them. */
    public static void main(String[] arguments) {
        new SpringApplication(MeteredServerMain.class).run(arguments);
    }
}
