ALTER TABLE `changed_devices` ADD `tags` text;--> statement-breakpoint
ALTER TABLE `device_changes` ADD `tags` text;--> statement-breakpoint
ALTER TABLE `device_changes` ADD `refused` integer DEFAULT 0 NOT NULL;