create table planned_tags (
  import_id text collate "C" not null,
  device_id text collate "C" not null,
  before text collate "C" not null,
  tags text collate "C" not null,
  primary key (import_id, device_id)
);

create table tag_imports (
  id text collate "C" primary key,
  created_at bigint not null,
  review text collate "C"
);

create index tag_imports_created_at on tag_imports (created_at);
