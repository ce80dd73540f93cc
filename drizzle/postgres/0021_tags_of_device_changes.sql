alter table changed_devices add column tags text collate "C";

alter table device_changes
  add column tags text collate "C",
  add column refused bigint not null default 0;
