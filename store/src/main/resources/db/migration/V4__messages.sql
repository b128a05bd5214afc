-- Messages of the gateway. Without the gateway the tables stay empty.
create table messages (
    id              uuid primary key,
    client          text not null,
    recipient       text not null,
    body            text not null,
    -- The client's running number: with the number of its messages that have ended it gives the place in its line.
    number          bigint not null,
    status          text not null default 'QUEUED' check (status in ('QUEUED', 'SENT', 'FAILED')),
    idempotency_key text,
    fingerprint     text,
    callback_url    text,
    provider_id     text,
    reason          text,
    accepted_at     timestamptz not null,
    ended_at        timestamptz,
    unique (client, idempotency_key)
);

-- Only what waits: the depth of a recipient's line, and what has waited for too long.
create index messages_queued on messages (client, recipient) where status = 'QUEUED';
create index messages_ended on messages (ended_at) where ended_at is not null;

-- What each client has handed in, and how much of it has ended. Two tables, so that accepting does not wait for sending.
create table messages_accepted (
    client text primary key,
    count  bigint not null
) with (fillfactor = 50);

create table messages_ended_count (
    client text primary key,
    count  bigint not null
) with (fillfactor = 50);

-- Gateways that are alive share the provider's limit.
create table message_gateways (
    instance   uuid primary key,
    seen_at    timestamptz not null,
    per_second double precision not null
);

-- Callbacks that have not been confirmed; one that was is removed.
create table message_callbacks (
    message_id uuid primary key,
    client     text not null,
    url        text not null,
    attempts   integer not null default 0,
    due_at     timestamptz not null default now(),
    parked_at  timestamptz,
    reason     text
);

create index message_callbacks_due on message_callbacks (due_at) where parked_at is null;

-- The outbox of accepted messages: dev.weir.core.outbox.OutboxSchema for the table message_outbox.
create table message_outbox (
    id         bigint generated always as identity primary key,
    event_id   uuid not null,
    key_hash   integer not null,
    topic      text not null,
    key        bytea,
    payload    bytea not null,
    headers    bytea,
    attempts   integer not null default 0,
    retry_at   timestamptz,
    reason     text,
    created_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index message_outbox_retry on message_outbox (key_hash, id) where retry_at is not null;

create table message_outbox_parked (
    id         bigint primary key,
    event_id   uuid not null,
    key_hash   integer not null,
    topic      text not null,
    key        bytea,
    payload    bytea not null,
    headers    bytea,
    attempts   integer not null,
    reason     text not null,
    created_at timestamptz not null,
    parked_at  timestamptz not null default clock_timestamp()
);

create table message_outbox_lease (
    lane       integer primary key,
    owner      uuid,
    token      bigint not null default 0,
    expires_at timestamptz
);

insert into message_outbox_lease (lane) select generate_series(0, 63);

create table message_outbox_member (
    instance   uuid primary key,
    seen_until timestamptz not null
);
