CREATE TABLE `device_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`rules` text NOT NULL,
	`priority` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_groups_name_unique` ON `device_groups` (`name`);--> statement-breakpoint
DROP INDEX `configurations_version_id_type_unique`;--> statement-breakpoint
ALTER TABLE `configurations` ADD `group_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `configurations_version_id_type_group_id_unique` ON `configurations` (`version_id`,`type`,`group_id`);--> statement-breakpoint
ALTER TABLE `revisions` ADD `group_id` text;