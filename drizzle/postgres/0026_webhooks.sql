create table webhooks (
  id text collate "C" primary key,
  name text collate "C" not null,
  url text collate "C" not null,
  events text collate "C" not null,
  secret text collate "C" not null,
  previous_secret text collate "C",
  previous_until bigint,
  state text collate "C" not null,
  position bigint not null,
  attempts bigint not null default 0,
  pending_since bigint,
  next_at bigint not null default 0,
  failed_at bigint,
  failed_status bigint,
  failed_reason text collate "C",
  lease text collate "C",
  lease_until bigint not null default 0,
  revision bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null
);
create table webhook_deliveries (
  id text collate "C" primary key,
  webhook_id text collate "C" not null references webhooks (id) on delete cascade,
  event text collate "C" not null,
  sequence bigint,
  type text collate "C" not null,
  subject text collate "C" not null,
  at bigint not null,
  attempt bigint not null,
  outcome text collate "C" not null,
  status bigint,
  reason text collate "C",
  duration_ms bigint not null
);
create index webhook_deliveries_at on webhook_deliveries (webhook_id, at);
