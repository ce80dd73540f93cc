create table fleet_days (
  day bigint not null,
  version text collate "C" not null,
  platform text collate "C" not null,
  count bigint not null,
  primary key (day, version, platform)
);

drop index devices_last_seen_day;
create index devices_last_seen on devices (last_seen_day, id);
