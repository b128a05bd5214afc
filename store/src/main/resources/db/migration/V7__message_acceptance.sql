-- When a message that the provider failed on is tried again; what has passed means nothing.
alter table messages add column due_at timestamptz;

-- What each gateway has measured, for one that has measured nothing yet.
alter table message_gateways
    add column way_millis  double precision,
    add column send_millis double precision;

-- Most messages come without a key and need no entry for it.
alter table messages drop constraint messages_client_idempotency_key_key;

create unique index messages_key on messages (client, idempotency_key) where idempotency_key is not null;
