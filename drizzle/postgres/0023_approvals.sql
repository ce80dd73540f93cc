create table approvals (
  id text collate "C" primary key,
  operation text collate "C" not null,
  params text collate "C" not null,
  query text collate "C" not null,
  body text collate "C",
  reach bigint not null,
  max_reach bigint not null,
  subject text collate "C" not null,
  issuer text collate "C",
  name text collate "C" not null,
  is_local boolean not null,
  sequence bigint not null,
  created_at bigint not null
);
