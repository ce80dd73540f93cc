create table device_groups (
  id text collate "C" primary key,
  name text collate "C" not null,
  rules text collate "C" not null,
  priority bigint not null,
  revision bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  constraint device_groups_name_unique unique (name)
);

alter table configurations
  drop constraint configurations_version_id_type_unique,
  add column group_id text collate "C" not null default '';
alter table configurations
  add constraint configurations_version_id_type_group_id_unique unique (version_id, type, group_id);

alter table revisions add column group_id text collate "C";
