-- What an order needs to be placed in several transactions, and to tell others what became of it.
alter table orders drop constraint orders_status_check;

alter table orders add constraint orders_status_check
    check (status in ('PENDING', 'PAID', 'DECLINED', 'UNCONFIRMED', 'CANCELLED'));

alter table orders
    -- Each try after one whose charge was withdrawn is charged under a key of its own.
    add column attempt        integer not null default 1,
    -- Rises whenever somebody takes the order on; what the one before may still do is settle it, not give it up.
    add column claim          integer not null default 1,
    -- Set while its stock is taken in a committed transaction and its payment is not settled.
    add column reserved_until timestamptz,
    -- Events about it so far.
    add column events         integer not null default 0;

create index orders_reserved on orders (reserved_until) where reserved_until is not null;

create table daily_totals (
    day         date primary key,
    orders      bigint not null,
    total_cents bigint not null
);

insert into daily_totals (day, orders, total_cents)
select (created_at at time zone 'UTC')::date, count(*), sum(total_cents) from orders where status = 'PAID' group by 1;

create table order_audit (
    id          bigint generated always as identity primary key,
    at          timestamptz not null default now(),
    order_id    uuid not null,
    customer_id bigint not null,
    status      text not null
);

create table sales_facts (
    id          bigint generated always as identity primary key,
    at          timestamptz not null default now(),
    order_id    uuid not null,
    product_id  bigint not null,
    quantity    integer not null,
    total_cents bigint not null
);

-- dev.weir.core.outbox.OutboxSchema for the table totals_outbox.
create table totals_outbox (
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

create index totals_outbox_retry on totals_outbox (key_hash, id) where retry_at is not null;

create table totals_outbox_parked (
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

create table totals_outbox_lease (
    lane       integer primary key,
    owner      uuid,
    token      bigint not null default 0,
    expires_at timestamptz
);

insert into totals_outbox_lease (lane) select generate_series(0, 63);

create table totals_outbox_member (
    instance   uuid primary key,
    seen_until timestamptz not null
);
