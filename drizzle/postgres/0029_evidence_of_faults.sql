-- Counts the devices by the kinds of their faults and by whether they are blocked and approved: only some of them are evidence.
-- No device changes between the removal of the old counts and the new ones.
lock table devices in share row exclusive mode;

drop trigger devices_join_fault_counts on devices;
drop trigger devices_leave_fault_counts on devices;
drop trigger devices_move_fault_counts on devices;
drop view device_fault_counts;
delete from device_fault_changes;
alter table device_fault_changes add column blocked boolean not null, add column approved boolean not null;

create view device_fault_counts as
  select last_seen_day, version, kind, blocked, approved, sum(count)::bigint as count
  from device_fault_changes
  group by last_seen_day, version, kind, blocked, approved
  having sum(count) <> 0;

create or replace function count_device_faults() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into device_fault_changes (last_seen_day, version, kind, blocked, approved, count)
      select old.last_seen_day, old.version, kind, old.blocked, old.approved, -1
      from list_fault_kinds(old.faults) as kind;
  end if;
  if tg_op <> 'DELETE' then
    insert into device_fault_changes (last_seen_day, version, kind, blocked, approved, count)
      select new.last_seen_day, new.version, kind, new.blocked, new.approved, 1
      from list_fault_kinds(new.faults) as kind;
  end if;
  if nextval('device_fault_merges') % 1000 = 0 then
    -- Those that another transaction merges are left to it.
    with taken as (
      delete from device_fault_changes
      where ctid in (select ctid from device_fault_changes for update skip locked)
      returning *
    )
    insert into device_fault_changes (last_seen_day, version, kind, blocked, approved, count)
      select last_seen_day, version, kind, blocked, approved, sum(count)
      from taken
      group by last_seen_day, version, kind, blocked, approved
      having sum(count) <> 0;
  end if;
  return null;
end $$;
create trigger devices_join_fault_counts after insert on devices
  for each row when (new.faults <> '[]') execute function count_device_faults();
create trigger devices_leave_fault_counts after delete on devices
  for each row when (old.faults <> '[]') execute function count_device_faults();
create trigger devices_move_fault_counts
  after update of last_seen_day, version, faults, blocked, approved on devices
  for each row
  when ((old.faults <> '[]' or new.faults <> '[]')
    and (old.last_seen_day, old.version, old.faults, old.blocked, old.approved)
      is distinct from (new.last_seen_day, new.version, new.faults, new.blocked, new.approved))
  execute function count_device_faults();

insert into device_fault_changes (last_seen_day, version, kind, blocked, approved, count)
  select last_seen_day, version, kind, blocked, approved, count(*)
  from devices, list_fault_kinds(devices.faults) as kind
  where faults <> '[]'
  group by last_seen_day, version, kind, blocked, approved;
