-- What a consumer of the topic order-events knows of each order.
create table order_view (
    order_id    uuid primary key,
    customer_id bigint not null,
    status      text not null,
    total_cents bigint not null,
    -- The number of the last event that is in here.
    sequence    integer not null,
    updated_at  timestamptz not null
);

create index order_view_customer on order_view (customer_id, order_id desc);

create table order_view_events (
    order_id    uuid not null,
    sequence    integer not null,
    status      text not null,
    total_cents bigint not null,
    at          timestamptz not null,
    primary key (order_id, sequence)
);
