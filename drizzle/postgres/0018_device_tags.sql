alter table devices add column tags text collate "C" not null default '[]';

-- Finds devices by their tags: those that administrators gave, and those that devices report. Triggers keep it as devices change.
create table device_tags (
  tag text collate "C" not null,
  device_id text collate "C" not null,
  primary key (tag, device_id)
);
create index device_tags_device on device_tags (device_id);

create function list_device_tags(tags text, device text) returns setof text language sql as $$
  select json_array_elements_text(tags::json)
  union
  -- Most devices report none: their JSON is not read.
  select json_array_elements_text(
    regexp_replace(device, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json -> 'tags'
  ) where strpos(device, '"tags":') > 0
$$;

create function store_device_tags() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from device_tags where device_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into device_tags (tag, device_id)
      select tag, new.id from list_device_tags(new.tags, new.device) as tag;
  end if;
  return null;
end $$;
create trigger devices_add_tags after insert on devices for each row
  when (new.tags <> '[]' or strpos(new.device, '"tags":') > 0)
  execute function store_device_tags();
create trigger devices_change_tags after update of tags, device on devices for each row
  when (old.tags is distinct from new.tags
    or (old.device is distinct from new.device and (strpos(old.device, '"tags":') > 0 or strpos(new.device, '"tags":') > 0)))
  execute function store_device_tags();
create trigger devices_remove_tags after delete on devices for each row
  execute function store_device_tags();
