package dev.weir.store.catalog;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Configuration;

/** Only with Weir's cache: without it Boot would fall back to a map that grows without bound. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("weir.cache.enabled")
@EnableCaching
class CatalogCaching {}
