CREATE TABLE `fleet_days` (
	`day` integer NOT NULL,
	`version` text NOT NULL,
	`platform` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `version`, `platform`)
);
--> statement-breakpoint
DROP INDEX `devices_last_seen_day`;--> statement-breakpoint
CREATE INDEX `devices_last_seen` ON `devices` (`last_seen_day`,`id`);