package dev.weir.store;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The store as one process; every setting is a Spring property, see docs/reference/store.md. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public class StoreApplication {

    /** Exits with 0 after an orderly stop and with 1 when the store cannot start. */
    public static void main(String[] args) {
        SpringApplication.run(StoreApplication.class, args);
    }
}
