-- Counts the devices by the kinds of their faults, a device once for each kind. As with `device_count_changes`, changes are added
-- as rows, and with every thousandth change the rows of the same kind become one.
create table device_fault_changes (
  last_seen_day bigint not null,
  version text collate "C" not null,
  kind text collate "C" not null,
  count bigint not null
);

create view device_fault_counts as
  select last_seen_day, version, kind, sum(count)::bigint as count
  from device_fault_changes
  group by last_seen_day, version, kind
  having sum(count) <> 0;

create sequence device_fault_merges owned by device_fault_changes.count;

create function list_fault_kinds(faults text) returns setof text language sql as $$
  -- A detail may have what a text of PostgreSQL cannot.
  select distinct fault ->> 'kind'
  from json_array_elements(regexp_replace(faults, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json) as fault
$$;

create function count_device_faults() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into device_fault_changes
      select old.last_seen_day, old.version, kind, -1 from list_fault_kinds(old.faults) as kind;
  end if;
  if tg_op <> 'DELETE' then
    insert into device_fault_changes
      select new.last_seen_day, new.version, kind, 1 from list_fault_kinds(new.faults) as kind;
  end if;
  if nextval('device_fault_merges') % 1000 = 0 then
    -- Those that another transaction merges are left to it.
    with taken as (
      delete from device_fault_changes
      where ctid in (select ctid from device_fault_changes for update skip locked)
      returning *
    )
    insert into device_fault_changes
      select last_seen_day, version, kind, sum(count)
      from taken
      group by last_seen_day, version, kind
      having sum(count) <> 0;
  end if;
  return null;
end $$;
create trigger devices_join_fault_counts after insert on devices
  for each row when (new.faults <> '[]') execute function count_device_faults();
create trigger devices_leave_fault_counts after delete on devices
  for each row when (old.faults <> '[]') execute function count_device_faults();
create trigger devices_move_fault_counts after update of last_seen_day, version, faults on devices
  for each row
  when ((old.faults <> '[]' or new.faults <> '[]')
    and (old.last_seen_day, old.version, old.faults) is distinct from (new.last_seen_day, new.version, new.faults))
  execute function count_device_faults();

insert into device_fault_changes
  select last_seen_day, version, kind, count(*)
  from devices, list_fault_kinds(devices.faults) as kind
  where faults <> '[]'
  group by last_seen_day, version, kind;
