alter table administrators add column role text collate "C" not null default 'administrator';
alter table administrators add column totp_secret text collate "C";
alter table administrators add column totp_step bigint;

alter table configurations add column revision bigint not null default 1;
alter table organizations add column revision bigint not null default 1;
alter table labels add column revision bigint not null default 1;

create table browser_sessions (
  id text collate "C" primary key,
  hash text collate "C" not null constraint browser_sessions_hash_unique unique,
  administrator text collate "C" references administrators (name) on delete cascade,
  subject text collate "C" not null,
  name text collate "C" not null,
  tokens text collate "C",
  renews_until bigint,
  address text collate "C" not null,
  user_agent text collate "C" not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null
);
