alter table device_changes
  add column finished boolean not null default false,
  add column subject text collate "C" not null default '',
  add column issuer text collate "C",
  add column name text collate "C" not null default '';

update device_changes set finished = true where done >= reach;
