package dev.weir.store.problems;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

@Configuration(proxyBeanMethods = false)
class ProblemConfiguration {

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemErrorValve() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemErrorValve.class.getName());
            }
        });
    }

    /** Knows PostgreSQL's own codes; by the standard's classes alone a lock timeout (55P03) would be an unknown error. */
    @Bean
    SQLExceptionTranslator postgresErrors() {
        return new SQLErrorCodeSQLExceptionTranslator("PostgreSQL");
    }
}
