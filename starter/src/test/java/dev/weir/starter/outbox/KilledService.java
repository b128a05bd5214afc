package dev.weir.starter.outbox;

import dev.weir.starter.WeirAutoConfiguration;
import dev.weir.starter.defer.DeferAutoConfiguration;
import dev.weir.starter.defer.Deferrable;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * A service whose transactions count a key's row up and defer a call with the new number, until it is killed; now and then one is rolled
 * back. Only what that needs is configured, since it is started often enough. As a process it says "ready" and dies with its starter.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    AopAutoConfiguration.class,
    ConfigurationPropertiesAutoConfiguration.class,
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    JdbcTemplateAutoConfiguration.class,
    TransactionAutoConfiguration.class,
    WeirAutoConfiguration.class,
    OutboxAutoConfiguration.class,
    DeferAutoConfiguration.class
})
public class KilledService {

    static final int KEYS = 8;
    private static final int ROLLED_BACK_OF = 8;

    public static void main(String[] args) {
        Thread.ofPlatform().daemon(true).start(KilledService::dieWithTheStarter);
        Counting counting = SpringApplication.run(KilledService.class, args).getBean(Counting.class);
        System.out.println("ready");
        for (int i = 0; true; i++) {
            try {
                counting.count(i % KEYS, ThreadLocalRandom.current().nextInt(ROLLED_BACK_OF) == 0);
            } catch (IllegalStateException rolledBack) {
                // The next one of the key gets the same number.
            }
        }
    }

    private static void dieWithTheStarter() {
        try {
            while (System.in.read() >= 0) {
                // Nobody says anything.
            }
        } catch (IOException closed) {
            // The same as the end.
        }
        Runtime.getRuntime().halt(1);
    }

    @Bean
    Work work(JdbcTemplate jdbc) {
        return new Work(jdbc);
    }

    @Bean
    Counting counting(JdbcTemplate jdbc, Work work) {
        return new Counting(jdbc, work);
    }

    /** What a developer writes. */
    static class Counting {
        private final JdbcTemplate jdbc;
        private final Work work;

        Counting(JdbcTemplate jdbc, Work work) {
            this.jdbc = jdbc;
            this.work = work;
        }

        @Transactional
        public void count(int key, boolean rolledBack) {
            Integer number = jdbc.queryForObject(
                    "UPDATE killed_keys SET number = number + 1 WHERE key = ? RETURNING number", Integer.class, key);
            work.done(key, number == null ? 0 : number, rolledBack);
            if (rolledBack) {
                throw new IllegalStateException("rolled back");
            }
        }
    }

    /** Deferred. */
    static class Work {
        private final JdbcTemplate jdbc;

        Work(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Deferrable(value = "count", key = "key")
        public void done(int key, int number, boolean rolledBack) {
            jdbc.update("INSERT INTO killed_done (key, number, rolled_back) VALUES (?, ?, ?)", key, number, rolledBack);
        }
    }
}
