package dev.weir.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopicTest {

    @Test
    void isReadyOnceItWasMadeOrWasThereBefore() throws InterruptedException {
        assertThat(topic(null, new UnknownTopicOrPartitionException()).isReady())
                .isTrue();
        assertThat(topic(new TopicExistsException("there"), new UnknownTopicOrPartitionException())
                        .isReady())
                .isTrue();
    }

    @Test
    void aTopicThatMayNotBeMadeIsUsedWhereItIsThere() throws InterruptedException {
        assertThat(topic(new TopicAuthorizationException("gateway-messages"), null)
                        .isReady())
                .isTrue();
    }

    @Test
    void isNotReadyWhereItCanNeitherBeMadeNorFound() throws InterruptedException {
        var topic = topic(new TopicAuthorizationException("gateway-messages"), new UnknownTopicOrPartitionException());

        assertThat(topic.isReady()).isFalse();
        assertThat(topic.isReady()).isFalse();
    }

    private static Topic topic(@Nullable Exception notMade, @Nullable Exception notFound) {
        return new Topic(new Topic.Broker() {
            @Override
            public void make() throws ExecutionException {
                failWith(notMade);
            }

            @Override
            public void find() throws ExecutionException {
                failWith(notFound);
            }
        });
    }

    private static void failWith(@Nullable Exception failure) throws ExecutionException {
        if (failure != null) {
            throw new ExecutionException(failure);
        }
    }
}
