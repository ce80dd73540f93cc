create table stamped_keys (
  hash text collate "C" not null primary key,
  created_at bigint not null
);
create index stamped_keys_created on stamped_keys (created_at);

insert into stamped_keys select hash, created_at from api_keys where kind = 'registration' and consumer_id in (
  select id from versions where wrapped_key is not null
);
