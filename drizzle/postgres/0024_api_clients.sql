create table api_clients (
  id text collate "C" primary key,
  role text collate "C" not null,
  description text collate "C",
  expires_at bigint,
  used_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);

create table api_client_credentials (
  id text collate "C" primary key,
  client text collate "C" not null references api_clients (id) on delete cascade,
  kind text collate "C" not null,
  digest text collate "C",
  jwk text collate "C",
  trust text collate "C",
  expires_at bigint,
  used_at bigint,
  created_at bigint not null,
  created_by text collate "C" not null
);
create index api_client_credentials_client on api_client_credentials (client, created_at);

create table client_assertions (
  hash text collate "C" primary key,
  expires_at bigint not null
);
create index client_assertions_expires on client_assertions (expires_at);
