-- The tables of ds/src/db/schema.ts for PostgreSQL, as the migrations in the folder above make them for SQLite. Written by
-- hand: drizzle-kit cannot make them from tables of SQLite. A test compares the two.
-- Text is compared by its bytes, as SQLite does, whatever the locale of the database is.

create table administrators (
  name text collate "C" primary key,
  password_hash text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table versions (
  id text collate "C" primary key,
  precedence text collate "C" not null constraint versions_precedence_unique unique,
  recommended boolean not null,
  mandatory boolean not null,
  allowed boolean not null,
  uris text collate "C" not null,
  wrapped_key text collate "C",
  revision bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table configurations (
  id text collate "C" primary key,
  version_id text collate "C" not null references versions (id) on delete restrict,
  type text collate "C" not null,
  config text collate "C" not null,
  secret text collate "C",
  created_at bigint not null,
  updated_at bigint not null,
  constraint configurations_version_id_type_unique unique (version_id, type)
);

create table organizations (
  id text collate "C" primary key,
  name text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table labels (
  id text collate "C" primary key,
  name text collate "C" not null,
  org_id text collate "C" not null references organizations (id) on delete restrict,
  key_used_at text collate "C",
  created_at bigint not null,
  updated_at bigint not null
);
create index labels_org on labels (org_id);

create table consumers (
  kind text collate "C" not null,
  id text collate "C" not null,
  created_at bigint not null,
  primary key (kind, id)
);

create table api_keys (
  hash text collate "C" primary key,
  kind text collate "C" not null,
  consumer_id text collate "C" not null,
  created_at bigint not null,
  expires_at bigint,
  foreign key (kind, consumer_id) references consumers (kind, id) on delete cascade
);
create index api_keys_consumer on api_keys (kind, consumer_id);

create table signing_keys (
  id text collate "C" primary key,
  use text collate "C" not null,
  sequence bigint not null,
  algorithm text collate "C" not null,
  public_key text collate "C" not null,
  private_key text collate "C" not null,
  signs_from bigint not null,
  created_at bigint not null,
  constraint signing_keys_use_sequence_unique unique (use, sequence)
);

create table successions (
  key_id text collate "C" primary key,
  statement text collate "C" not null,
  created_at bigint not null,
  -- SQLite numbers the rows of every table so.
  rowid bigint generated always as identity
);

create table sessions (
  id text collate "C" primary key,
  administrator text collate "C" not null references administrators (name) on delete cascade,
  generation bigint not null,
  expires_at bigint not null,
  created_at bigint not null
);

create table login_delays (
  account text collate "C" not null,
  address text collate "C" not null,
  failures bigint not null,
  not_before bigint not null,
  primary key (account, address)
);

create table downloads (
  version_id text collate "C" not null,
  os text collate "C" not null,
  day text collate "C" not null,
  count bigint not null,
  primary key (version_id, os, day)
);

create table devices (
  id text collate "C" primary key,
  fingerprint text collate "C" not null constraint devices_fingerprint_unique unique,
  key text collate "C" not null,
  version text collate "C" not null,
  platform text collate "C" not null,
  device text collate "C" not null,
  "user" text collate "C" not null,
  blocked boolean not null,
  approved boolean not null default true,
  registrations bigint not null,
  registered_at bigint not null,
  created_at bigint not null,
  asserted_at bigint not null,
  last_seen_at bigint not null,
  last_seen_day bigint not null,
  state text collate "C",
  revision bigint not null,
  verdict text collate "C",
  keystore text collate "C",
  faults text collate "C" not null,
  -- SQLite numbers the rows of every table so. The metrics count the devices in this order, some at a time.
  rowid bigint generated always as identity constraint devices_rowid_unique unique
)
-- Every synchronization writes its row anew; into the same page, no index changes.
with (fillfactor = 80);
create index devices_last_seen_day on devices (last_seen_day);

create table refusals (
  id bigint primary key,
  address text collate "C" not null,
  reason text collate "C" not null,
  fingerprint text collate "C" not null,
  detail text collate "C" not null,
  count bigint not null,
  first_at bigint not null,
  last_at bigint not null,
  request_id text collate "C" not null,
  key_version text collate "C",
  version text collate "C",
  platform text collate "C",
  hostname text collate "C",
  constraint refusals_address_reason_fingerprint_unique unique (address, reason, fingerprint)
);
create index refusals_last_at on refusals (last_at);

create table quotas (
  subject text collate "C" not null,
  day bigint not null,
  used bigint not null,
  primary key (subject, day)
);

create table clock_readings (
  id bigint primary key,
  day bigint not null,
  steady_since bigint not null
);

create table counter_batches (
  device_id text collate "C" not null references devices (id) on delete cascade,
  id text collate "C" not null,
  primary key (device_id, id)
);

create table departed_batches (
  fingerprint text collate "C" not null,
  id text collate "C" not null,
  last_seen_day bigint not null,
  primary key (fingerprint, id)
);
create index departed_batches_last_seen_day on departed_batches (last_seen_day);

create table counters (
  day text collate "C" not null,
  label text collate "C" not null,
  module text collate "C" not null,
  use_case text collate "C" not null,
  tag text collate "C" not null,
  count bigint not null,
  primary key (day, label, module, use_case, tag)
);

create table device_logs (
  device_id text collate "C" primary key references devices (id) on delete cascade,
  media text collate "C" not null,
  bytes text collate "C" not null,
  received_at bigint not null
);
create index device_logs_received_at on device_logs (received_at);

create table audit (
  sequence bigint primary key,
  at bigint not null,
  subject text collate "C" not null,
  issuer text collate "C",
  name text collate "C" not null,
  operation text collate "C" not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  fields text collate "C" not null,
  address text collate "C",
  request_id text collate "C"
);
create index audit_resource on audit (kind, id);
create index audit_at on audit (at);

-- The number of the newest entry of the audit. Whoever writes an entry locks this row until the end of the transaction: one
-- after the other, as with SQLite, and without the gaps that a sequence leaves.
create table audit_counter (
  only_row boolean primary key default true check (only_row),
  last bigint not null
);
insert into audit_counter (last) values (0);

create function number_audit_entry() returns trigger language plpgsql as $$
begin
  if new.sequence is null then
    update audit_counter set last = last + 1 returning last into new.sequence;
  else
    update audit_counter set last = new.sequence where last < new.sequence;
    if not found then
      raise exception 'Cannot replace an entry of the audit: it only grows';
    end if;
  end if;
  return new;
end $$;
create trigger audit_numbers_entries before insert on audit
  for each row execute function number_audit_entry();

create function keep_audit() returns trigger language plpgsql as $$
begin
  raise exception 'Cannot % an entry of the audit: it only grows',
    case tg_op when 'UPDATE' then 'change' else 'remove' end;
end $$;
create trigger audit_keeps_entries before update or delete on audit
  for each row execute function keep_audit();
create trigger audit_is_not_emptied before truncate on audit
  for each statement execute function keep_audit();

-- Drizzle inserts null where SQLite numbers the rows.
create sequence refusals_id owned by refusals.id;
create function number_refusal() returns trigger language plpgsql as $$
begin
  new.id := coalesce(new.id, nextval('refusals_id'));
  return new;
end $$;
create trigger refusals_are_numbered before insert on refusals
  for each row execute function number_refusal();

-- A device that is deleted and registers again has a new id, and sends the batches again that it was not told of.
create function keep_batches_of_device() returns trigger language plpgsql as $$
begin
  insert into departed_batches (fingerprint, id, last_seen_day)
    select old.fingerprint, id, old.last_seen_day from counter_batches where device_id = old.id
    on conflict do nothing;
  return old;
end $$;
create trigger devices_leave_batches before delete on devices
  for each row execute function keep_batches_of_device();

create function take_batches_of_device() returns trigger language plpgsql as $$
begin
  insert into counter_batches (device_id, id)
    select new.id, id from departed_batches where fingerprint = new.fingerprint
    on conflict do nothing;
  delete from departed_batches where fingerprint = new.fingerprint;
  return null;
end $$;
create trigger devices_take_batches after insert on devices
  for each row execute function take_batches_of_device();

-- What the nodes of a service count together. It may be lost with a crash: every limit is one of a minute.
create unlogged table rate_limits (
  name text collate "C" not null,
  key text collate "C" not null,
  used bigint not null,
  ends_at timestamptz not null,
  primary key (name, key)
);
