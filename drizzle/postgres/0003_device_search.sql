-- JSON of before may have NUL and halves of surrogate pairs, which PostgreSQL reads as U+FFFD here.
alter table devices
  add column hostname text collate "C" generated always as (
    lower((regexp_replace(device, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json ->> 'hostname') collate "C")
  ) stored,
  add column username text collate "C" generated always as (
    lower((regexp_replace("user", '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi')::json ->> 'username') collate "C")
  ) stored;

drop index devices_last_seen;
create index devices_last_seen on devices (last_seen_day, id, version, platform, verdict, blocked, approved);
create index devices_faulty on devices (last_seen_day, id) where faults <> '[]';
create index devices_hostname on devices (hostname, id) where hostname is not null;
create index devices_username on devices (username, id) where username is not null;
