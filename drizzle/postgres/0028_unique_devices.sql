create table use_keys (
  month text collate "C" primary key,
  key text collate "C" not null
);

create table use_devices (
  month text collate "C" not null,
  hash text collate "C" not null,
  label text collate "C" not null,
  primary key (month, hash, label)
);

create table use_months (
  month text collate "C" not null,
  scope text collate "C" not null,
  id text collate "C" not null,
  devices bigint not null,
  primary key (month, scope, id)
);
