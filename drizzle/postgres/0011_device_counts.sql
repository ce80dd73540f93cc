-- Counts the devices by what administrators count them by. A row that many requests change would let them wait for one another:
-- each adds rows instead, and with every thousandth change the rows of the same devices become one.
create table device_count_changes (
  last_seen_day bigint not null,
  version text collate "C" not null,
  platform text collate "C" not null,
  blocked boolean not null,
  approved boolean not null,
  faulty boolean not null,
  count bigint not null
);

create view device_counts as
  select last_seen_day, version, platform, blocked, approved, faulty, sum(count)::bigint as count
  from device_count_changes
  group by last_seen_day, version, platform, blocked, approved, faulty
  having sum(count) <> 0;

create sequence device_count_merges owned by device_count_changes.count;

create function count_device() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into device_count_changes values
      (old.last_seen_day, old.version, old.platform, old.blocked, old.approved, old.faults <> '[]', -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into device_count_changes values
      (new.last_seen_day, new.version, new.platform, new.blocked, new.approved, new.faults <> '[]', 1);
  end if;
  if nextval('device_count_merges') % 1000 = 0 then
    -- Those that another transaction merges are left to it.
    with taken as (
      delete from device_count_changes
      where ctid in (select ctid from device_count_changes for update skip locked)
      returning *
    )
    insert into device_count_changes
      select last_seen_day, version, platform, blocked, approved, faulty, sum(count)
      from taken
      group by last_seen_day, version, platform, blocked, approved, faulty
      having sum(count) <> 0;
  end if;
  return null;
end $$;
create trigger devices_join_or_leave_counts after insert or delete on devices
  for each row execute function count_device();
create trigger devices_move_counts after update of last_seen_day, version, platform, blocked, approved, faults on devices
  for each row
  when ((old.last_seen_day, old.version, old.platform, old.blocked, old.approved, old.faults <> '[]')
    is distinct from (new.last_seen_day, new.version, new.platform, new.blocked, new.approved, new.faults <> '[]'))
  execute function count_device();

insert into device_count_changes
  select last_seen_day, version, platform, blocked, approved, faults <> '[]', count(*)
  from devices
  group by last_seen_day, version, platform, blocked, approved, faults <> '[]';
