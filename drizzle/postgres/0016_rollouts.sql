create table rollouts (
  id text collate "C" primary key,
  version_id text collate "C" not null,
  flag text collate "C" not null,
  state text collate "C" not null,
  plan text collate "C" not null,
  salt text collate "C" not null,
  stage bigint not null,
  stage_at bigint,
  halt text collate "C",
  evidence text collate "C",
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index rollouts_open_version on rollouts (version_id) where state <> 'finished';
create index rollouts_created_at on rollouts (created_at);

create table rollout_devices (
  rollout_id text collate "C" not null references rollouts (id) on delete cascade,
  device_id text collate "C" not null references devices (id) on delete cascade,
  arm text collate "C" not null,
  stage bigint not null,
  since bigint not null,
  seen_at bigint not null,
  faults text collate "C" not null,
  installed_at bigint,
  outcome text collate "C",
  primary key (rollout_id, device_id)
);
create index rollout_devices_device on rollout_devices (device_id);
