alter table changed_devices add column changed_since boolean not null default false;

create index changed_devices_device on changed_devices (device_id);

create index changed_devices_since on changed_devices (change_id) where changed_since;

update changed_devices set changed_since = true where exists (
  select 1 from changed_devices later
  join device_changes change on change.id = later.change_id
  join device_changes own on own.id = changed_devices.change_id
  where later.device_id = changed_devices.device_id and change.created_at > own.created_at
    and change.change in ('block', 'unblock')
);
