package dev.weir.starter.outbox;

import dev.weir.core.outbox.Backlog;
import dev.weir.core.outbox.ParkedEvents;
import dev.weir.core.outbox.ParkedEvents.Summary;
import dev.weir.core.outbox.RelayStats;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/** What operators see of the outboxes and do with parked events. Contents of events are not shown. */
@WebEndpoint(id = "weiroutbox")
final class OutboxEndpoint {

    private static final int USUAL_LIST = 100;
    private static final int MOST_AT_ONCE = 10_000;

    /** All outboxes by name. */
    record Overview(Map<String, State> outboxes) {}

    /**
     * One outbox.
     *
     * @param table its table
     * @param waiting events not delivered, counted up to 100,000; null while the database does not answer
     * @param oldestAgeMillis age of the oldest of them
     * @param parked events set aside, counted up to 100,000
     * @param relay what this instance's relay has counted
     */
    record State(
            String table,
            @Nullable Long waiting,
            @Nullable Long oldestAgeMillis,
            @Nullable Long parked,
            RelayStats relay) {}

    /**
     * Parked events, oldest first.
     *
     * @param count how many there are in all
     * @param parked the first of them
     */
    record Listing(long count, List<Item> parked) {}

    /**
     * One parked event.
     *
     * @param key as text where it is text, otherwise null
     * @param bytes size of its content
     * @param parkedAt ISO 8601, UTC
     */
    record Item(
            String id, String topic, @Nullable String key, int bytes, int attempts, String reason, String parkedAt) {}

    /**
     * What an action did.
     *
     * @param events how many events it concerned
     * @param left how many are parked still
     */
    record Done(String action, int events, long left) {}

    /** Why a request cannot be answered: a sentence. */
    record Refusal(String error) {}

    private final List<OutboxRelay> relays;

    OutboxEndpoint(List<OutboxRelay> relays) {
        this.relays = relays;
    }

    @ReadOperation
    Overview outboxes() {
        Map<String, State> states = new LinkedHashMap<>();
        for (OutboxRelay relay : relays) {
            Backlog backlog = relay.backlog().orElse(null);
            states.put(
                    relay.name(),
                    backlog == null
                            ? new State(relay.table(), null, null, null, relay.stats())
                            : new State(
                                    relay.table(),
                                    backlog.waiting(),
                                    backlog.oldestAge().toMillis(),
                                    backlog.parked(),
                                    relay.stats()));
        }
        return new Overview(states);
    }

    /** @param most how many to list at most, 1 to 10,000; 100 where it is not given */
    @ReadOperation
    WebEndpointResponse<Object> parked(@Selector String outbox, @Nullable String most) {
        return answer(outbox, parked -> {
            int limit = most == null ? USUAL_LIST : limit(most);
            return new Listing(
                    parked.count(),
                    parked.summaries(limit).stream().map(OutboxEndpoint::item).toList());
        });
    }

    /**
     * @param action replay or discard
     * @param ids of the events, separated by commas: Boot takes texts alone from a body
     * @param all true for the oldest 10,000 in place of ids
     */
    @WriteOperation
    WebEndpointResponse<Object> act(
            @Selector String outbox, @Nullable String action, @Nullable String ids, @Nullable String all) {
        return answer(outbox, parked -> {
            boolean replay = isReplay(action);
            List<UUID> chosen = chosen(parked, ids, all);
            int events = replay ? parked.replay(chosen) : parked.discard(chosen);
            if (events == 0 && ids != null) {
                throw new BadRequestException("None of these events is parked in outbox " + outbox + ".");
            }
            if (replay) {
                wake(outbox);
            }
            return new Done(replay ? "replay" : "discard", events, parked.count());
        });
    }

    private void wake(String outbox) {
        relays.stream()
                .filter(relay -> relay.name().equals(outbox))
                .forEach(relay -> relay.outbox().committed());
    }

    private static boolean isReplay(@Nullable String action) {
        return switch (action) {
            case "replay" -> true;
            case "discard" -> false;
            case null -> throw new BadRequestException("action is missing; it must be replay or discard.");
            default -> throw new BadRequestException("action is '" + action + "'; it must be replay or discard.");
        };
    }

    private static List<UUID> chosen(ParkedEvents parked, @Nullable String ids, @Nullable String all)
            throws SQLException {
        boolean everything = "true".equals(all);
        if (everything == (ids != null)) {
            throw new BadRequestException("Say which events: ids with the ids of some, or all=true, not both.");
        }
        if (ids != null) {
            return ids(ids);
        }
        return parked.summaries(MOST_AT_ONCE).stream().map(Summary::id).toList();
    }

    private static List<UUID> ids(String text) {
        List<UUID> ids = new ArrayList<>();
        for (String id : text.split(",", -1)) {
            try {
                ids.add(UUID.fromString(id.strip()));
            } catch (IllegalArgumentException malformed) {
                throw new BadRequestException("'" + id.strip() + "' is no id of an event; ids look like "
                        + new UUID(0, 0) + ", separated by commas.");
            }
        }
        if (ids.size() > MOST_AT_ONCE) {
            throw new BadRequestException(
                    "These are " + ids.size() + " ids; allowed are " + MOST_AT_ONCE + " at once.");
        }
        return ids;
    }

    private static int limit(String most) {
        try {
            int limit = Integer.parseInt(most);
            if (limit >= 1 && limit <= MOST_AT_ONCE) {
                return limit;
            }
        } catch (NumberFormatException noNumber) {
            // Answered as any other.
        }
        throw new BadRequestException("most is '" + most + "'; it must be a number from 1 to " + MOST_AT_ONCE + ".");
    }

    private static Item item(Summary parked) {
        return new Item(
                parked.id().toString(),
                parked.topic(),
                parked.key(),
                parked.bytes(),
                parked.attempts(),
                parked.reason(),
                parked.parkedAt().toString());
    }

    private WebEndpointResponse<Object> answer(String outbox, Request request) {
        OutboxRelay relay = relays.stream()
                .filter(one -> one.name().equals(outbox))
                .findFirst()
                .orElse(null);
        if (relay == null) {
            return refusal(
                    WebEndpointResponse.STATUS_NOT_FOUND,
                    "There is no outbox " + outbox + "; there is "
                            + relays.stream().map(OutboxRelay::name).collect(Collectors.joining(", ")) + ".");
        }
        try {
            return new WebEndpointResponse<>(request.answer(relay.parked()));
        } catch (BadRequestException bad) {
            return refusal(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(bad.getMessage()));
        } catch (SQLException away) {
            return refusal(
                    WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
                    "The database does not do this now: " + away.getMessage());
        }
    }

    private static WebEndpointResponse<Object> refusal(int status, String sentence) {
        return new WebEndpointResponse<>(new Refusal(sentence), status);
    }

    @FunctionalInterface
    private interface Request {
        Object answer(ParkedEvents parked) throws SQLException;
    }

    private static final class BadRequestException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BadRequestException(String sentence) {
            super(sentence);
        }
    }
}
