DROP INDEX `devices_last_seen`;--> statement-breakpoint
ALTER TABLE `devices` ADD `hostname` text GENERATED ALWAYS AS (lower("device" ->> 'hostname')) VIRTUAL;--> statement-breakpoint
ALTER TABLE `devices` ADD `username` text GENERATED ALWAYS AS (lower("user" ->> 'username')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `devices_faulty` ON `devices` (`last_seen_day`,`id`) WHERE "faults" <> '[]';--> statement-breakpoint
CREATE INDEX `devices_hostname` ON `devices` (`hostname`,`id`) WHERE "hostname" is not null;--> statement-breakpoint
CREATE INDEX `devices_username` ON `devices` (`username`,`id`) WHERE "username" is not null;--> statement-breakpoint
CREATE INDEX `devices_last_seen` ON `devices` (`last_seen_day`,`id`,`version`,`platform`,`verdict`,`blocked`,`approved`);