-- Callbacks are taken in turns by client and the server called, so that those that hang hold up nobody else's.
alter table message_callbacks
    add column origin text not null
        generated always as (coalesce(lower(substring(url from '^[^/]*//[^/?#]*')), '')) stored;

create index message_callbacks_turns on message_callbacks (client, origin, due_at) where parked_at is null;

drop index message_callbacks_due;
