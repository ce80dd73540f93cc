create table sign_ins (
  subject text collate "C" primary key,
  name text collate "C" not null,
  role text collate "C" not null,
  created_at bigint not null,
  updated_at bigint not null
);

create index sign_ins_updated on sign_ins (updated_at);
