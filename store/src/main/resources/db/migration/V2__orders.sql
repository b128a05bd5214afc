create table orders (
    id              uuid primary key default uuidv7(),
    customer_id     bigint not null,
    status          text not null check (status in ('PENDING', 'PAID', 'DECLINED', 'UNCONFIRMED')),
    total_cents     bigint not null check (total_cents >= 0),
    -- The provider's charge where the order is paid, its reason where it is declined.
    charge_id       text,
    decline_reason  text,
    -- One order for a key; two requests with the same key meet at this index.
    idempotency_key text unique,
    fingerprint     text,
    created_at      timestamptz not null default date_trunc('milliseconds', now())
);

create table order_items (
    order_id         uuid not null references orders,
    product_id       bigint not null references products,
    quantity         integer not null check (quantity > 0),
    unit_price_cents bigint not null,
    primary key (order_id, product_id)
);
