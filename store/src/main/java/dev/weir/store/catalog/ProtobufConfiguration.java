package dev.weir.store.catalog;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.protobuf.ProtobufHttpMessageConverter;

/** Writes protobuf messages; everything else stays with the converters that Boot sets up. */
@Configuration(proxyBeanMethods = false)
class ProtobufConfiguration {

    @Bean
    ProtobufHttpMessageConverter protobufHttpMessageConverter() {
        return new ProtobufHttpMessageConverter();
    }
}
