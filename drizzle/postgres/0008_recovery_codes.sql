create table recovery_codes (
  hash text collate "C" primary key,
  administrator text collate "C" not null references administrators (name) on delete cascade,
  used_at bigint,
  used_from text collate "C"
);

create index recovery_codes_administrator on recovery_codes (administrator);
