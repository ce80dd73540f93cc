create table revisions (
  kind text collate "C" not null,
  id text collate "C" not null,
  revision bigint not null,
  at bigint not null,
  subject text collate "C" not null,
  issuer text collate "C",
  name text collate "C" not null,
  operation text collate "C" not null,
  version_id text collate "C",
  type text collate "C",
  value text collate "C",
  secret text collate "C",
  secret_from bigint,
  primary key (kind, id, revision)
);

-- What there is when the service is updated is the first revision of each history.
insert into revisions select 'configuration', c.id, c.revision, c.updated_at,
  coalesce((select a.subject from audit a where a.kind = 'configuration' and a.id = c.id order by a.sequence desc limit 1), 'local'),
  (select a.issuer from audit a where a.kind = 'configuration' and a.id = c.id order by a.sequence desc limit 1),
  coalesce((select a.name from audit a where a.kind = 'configuration' and a.id = c.id order by a.sequence desc limit 1), 'local'),
  coalesce((select a.operation from audit a where a.kind = 'configuration' and a.id = c.id order by a.sequence desc limit 1), 'putConfiguration'),
  c.version_id, c.type, c.config, c.secret, case when c.secret is null then null else c.revision end
from configurations c;

insert into revisions select 'version', c.id, c.revision, c.updated_at,
  coalesce((select a.subject from audit a where a.kind = 'version' and a.id = c.id order by a.sequence desc limit 1), 'local'),
  (select a.issuer from audit a where a.kind = 'version' and a.id = c.id order by a.sequence desc limit 1),
  coalesce((select a.name from audit a where a.kind = 'version' and a.id = c.id order by a.sequence desc limit 1), 'local'),
  coalesce((select a.operation from audit a where a.kind = 'version' and a.id = c.id order by a.sequence desc limit 1), 'putVersion'),
  null, null, json_build_object('recommended', c.recommended, 'mandatory', c.mandatory, 'allowed', c.allowed, 'uris', c.uris::json)::text, null, null
from versions c;
