-- Lets the audit only grow. Stands at the end of the first migration: drizzle-kit, which makes the rest, knows no triggers.
CREATE TRIGGER `audit_keeps_entries` BEFORE UPDATE ON `audit` BEGIN
	SELECT RAISE(ABORT, 'Cannot change an entry of the audit: it only grows');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_loses_none` BEFORE DELETE ON `audit` BEGIN
	SELECT RAISE(ABORT, 'Cannot remove an entry of the audit: it only grows');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_replaces_none` BEFORE INSERT ON `audit` WHEN EXISTS (SELECT 1 FROM `audit` WHERE `sequence` = NEW.`sequence`) BEGIN
	SELECT RAISE(ABORT, 'Cannot replace an entry of the audit: it only grows');
END;
