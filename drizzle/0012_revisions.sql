CREATE TABLE `revisions` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`revision` integer NOT NULL,
	`at` integer NOT NULL,
	`subject` text NOT NULL,
	`issuer` text,
	`name` text NOT NULL,
	`operation` text NOT NULL,
	`version_id` text,
	`type` text,
	`value` text,
	`secret` text,
	`secret_from` integer,
	PRIMARY KEY(`kind`, `id`, `revision`)
);
--> statement-breakpoint
-- What there is when the service is updated is the first revision of each history.
INSERT INTO revisions SELECT 'configuration', c.id, c.revision, c.updated_at,
	coalesce((SELECT a.subject FROM audit a WHERE a.kind = 'configuration' AND a.id = c.id ORDER BY a.sequence DESC LIMIT 1), 'local'),
	(SELECT a.issuer FROM audit a WHERE a.kind = 'configuration' AND a.id = c.id ORDER BY a.sequence DESC LIMIT 1),
	coalesce((SELECT a.name FROM audit a WHERE a.kind = 'configuration' AND a.id = c.id ORDER BY a.sequence DESC LIMIT 1), 'local'),
	coalesce((SELECT a.operation FROM audit a WHERE a.kind = 'configuration' AND a.id = c.id ORDER BY a.sequence DESC LIMIT 1), 'putConfiguration'),
	c.version_id, c.type, c.config, c.secret, CASE WHEN c.secret IS NULL THEN NULL ELSE c.revision END
FROM configurations c;
--> statement-breakpoint
INSERT INTO revisions SELECT 'version', c.id, c.revision, c.updated_at,
	coalesce((SELECT a.subject FROM audit a WHERE a.kind = 'version' AND a.id = c.id ORDER BY a.sequence DESC LIMIT 1), 'local'),
	(SELECT a.issuer FROM audit a WHERE a.kind = 'version' AND a.id = c.id ORDER BY a.sequence DESC LIMIT 1),
	coalesce((SELECT a.name FROM audit a WHERE a.kind = 'version' AND a.id = c.id ORDER BY a.sequence DESC LIMIT 1), 'local'),
	coalesce((SELECT a.operation FROM audit a WHERE a.kind = 'version' AND a.id = c.id ORDER BY a.sequence DESC LIMIT 1), 'putVersion'),
	NULL, NULL, json_object('recommended', json(CASE WHEN c.recommended THEN 'true' ELSE 'false' END), 'mandatory', json(CASE WHEN c.mandatory THEN 'true' ELSE 'false' END), 'allowed', json(CASE WHEN c.allowed THEN 'true' ELSE 'false' END), 'uris', json(c.uris)), NULL, NULL
FROM versions c;
