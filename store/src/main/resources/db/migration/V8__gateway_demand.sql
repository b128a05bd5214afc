-- What each gateway could send a second: one that has nothing to send leaves its share of the provider's limit to the others.
alter table message_gateways add column demand double precision not null default 0;
