package dev.weir.starter.route;

import static dev.weir.starter.route.Conditions.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.route.ReadOnlyTransactionException;
import dev.weir.core.route.ReplicaSet.State;
import dev.weir.core.route.Router;
import dev.weir.stack.Stack;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** A service on JPA with Hibernate, as Spring Boot configures it, with a primary and one standby. */
class JpaRouteIT {

    private static Stack stack;
    private static ConfigurableApplicationContext context;
    private static Books books;
    private static Router router;

    @BeforeAll
    static void start() throws Exception {
        stack = RoutedStack.start(false);
        var application = new SpringApplication(Service.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        context = application.run(RoutedStack.settings(
                stack, "--spring.jpa.hibernate.ddl-auto=create", "--spring.jpa.open-in-view=false"));
        books = context.getBean(Books.class);
        router = Objects.requireNonNull(context.getBean(Routing.class).router());
        books.add(1, "first");
        await("the replica serves", () -> router.replicas().view(0).state() == State.SERVING);
        await("the row is there", JpaRouteIT::isReplicated);
    }

    @AfterAll
    static void stop() {
        context.close();
        stack.close();
    }

    @Test
    void transactionsOfJpaGoWhereTheirDeclarationSays() {
        assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
        assertThat(context.getBean(RouteFeature.class).status().settings()).containsEntry("self-check", "passed");
        assertThat(books.readerIsOnStandby()).isTrue();
        assertThat(books.writerIsOnStandby()).isFalse();
        assertThat(books.primaryReaderIsOnStandby()).isFalse();
    }

    @Test
    void anEntityChangedInAWritingTransactionIsReadFromTheReplicaLater() throws Exception {
        books.add(2, "second");
        books.rename(2, "renamed");
        await("replicated", () -> "renamed".equals(books.title(2)));
    }

    @Test
    void aStatementThatWritesInAReadOnlyTransactionFailsWithASentence() {
        assertThatThrownBy(() -> books.renameWhileReading(1, "lost"))
                .hasStackTraceContaining(ReadOnlyTransactionException.class.getName())
                .hasStackTraceContaining("The outermost transaction decides");
        assertThatThrownBy(() -> books.renameInsideAReadOnlyOne(1, "lost"))
                .hasStackTraceContaining("The outermost transaction decides");
        assertThat(books.title(1)).isEqualTo("first");
    }

    @Test
    void anEntityFlushedInAReadOnlyTransactionFailsWithASentence() {
        assertThatThrownBy(() -> books.flushWhileReading(3))
                .hasStackTraceContaining("The outermost transaction decides");
    }

    private static boolean isReplicated() {
        try {
            return "first".equals(books.title(1));
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataRedisRepositoriesAutoConfiguration.class)
    @Import({Books.class, Shelf.class})
    static class Service {}

    @Entity(name = "Book")
    static class Book {
        @Id
        private long id;

        private String title = "";

        protected Book() {}

        Book(long id, String title) {
            this.id = id;
            this.title = title;
        }
    }

    static class Books {
        private final EntityManager entities;
        private final Shelf shelf;

        Books(EntityManagerFactory factory, Shelf shelf) {
            this.entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
            this.shelf = shelf;
        }

        @Transactional
        public void add(long id, String title) {
            entities.persist(new Book(id, title));
        }

        @Transactional
        public void rename(long id, String title) {
            entities.find(Book.class, id).title = title;
        }

        @Transactional(readOnly = true)
        public String title(long id) {
            Book book = entities.find(Book.class, id);
            return book == null ? "none" : book.title;
        }

        @Transactional(readOnly = true)
        public boolean readerIsOnStandby() {
            return inRecovery();
        }

        @UsePrimary
        @Transactional(readOnly = true)
        public boolean primaryReaderIsOnStandby() {
            return inRecovery();
        }

        @Transactional
        public boolean writerIsOnStandby() {
            return inRecovery();
        }

        @Transactional(readOnly = true)
        public void renameWhileReading(long id, String title) {
            shelf.update(id, title);
        }

        @Transactional(readOnly = true)
        public void renameInsideAReadOnlyOne(long id, String title) {
            shelf.updateInTransaction(id, title);
        }

        @Transactional(readOnly = true)
        public void flushWhileReading(long id) {
            entities.persist(new Book(id, "never"));
            entities.flush();
        }

        private boolean inRecovery() {
            return (boolean) entities.createNativeQuery("SELECT pg_is_in_recovery()", Boolean.class)
                    .getSingleResult();
        }
    }

    static class Shelf {
        private final EntityManager entities;

        Shelf(EntityManagerFactory factory) {
            this.entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
        }

        public void update(long id, String title) {
            entities.createQuery("UPDATE Book b SET b.title = :title WHERE b.id = :id")
                    .setParameter("title", title)
                    .setParameter("id", id)
                    .executeUpdate();
        }

        @Transactional
        public void updateInTransaction(long id, String title) {
            update(id, title);
        }
    }
}
