CREATE TABLE `changed_devices` (
	`change_id` text NOT NULL,
	`device_id` text NOT NULL,
	PRIMARY KEY(`change_id`, `device_id`)
);
--> statement-breakpoint
CREATE TABLE `device_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`change` text NOT NULL,
	`filter` text NOT NULL,
	`reach` integer NOT NULL,
	`done` integer NOT NULL,
	`last_id` text NOT NULL,
	`step` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `device_changes_created_at` ON `device_changes` (`created_at`);