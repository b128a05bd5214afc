package dev.weir.store.start;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * For the process that starts the store.
 *
 * @param portFile where the port is written once the store takes requests; not written without it
 * @param exitWithPid the process to end with
 */
@ConfigurationProperties("store")
record StartSettings(@Nullable Path portFile, @Nullable Long exitWithPid) {}
