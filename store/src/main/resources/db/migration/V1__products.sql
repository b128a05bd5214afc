create table products (
    id          bigint primary key,
    sku         text not null unique,
    name        text not null,
    brand       text not null,
    category    text not null,
    description text not null,
    price_cents bigint not null check (price_cents > 0),
    stock       integer not null check (stock >= 0),
    updated_at  timestamptz not null,
    -- The words of the name; 'simple' leaves them as they are, so a search may end in the middle of a word.
    name_words  tsvector not null generated always as (to_tsvector('simple', name)) stored
);

create index products_name_words on products using gin (name_words);
