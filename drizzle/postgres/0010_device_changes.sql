create table changed_devices (
  change_id text collate "C" not null,
  device_id text collate "C" not null,
  primary key (change_id, device_id)
);

create table device_changes (
  id text collate "C" primary key,
  change text collate "C" not null,
  filter text collate "C" not null,
  reach bigint not null,
  done bigint not null,
  last_id text collate "C" not null,
  step text collate "C" not null,
  created_at bigint not null
);

create index device_changes_created_at on device_changes (created_at);
