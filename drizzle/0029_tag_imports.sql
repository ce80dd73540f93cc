CREATE TABLE `planned_tags` (
	`import_id` text NOT NULL,
	`device_id` text NOT NULL,
	`before` text NOT NULL,
	`tags` text NOT NULL,
	PRIMARY KEY(`import_id`, `device_id`)
);
--> statement-breakpoint
CREATE TABLE `tag_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`review` text
);
--> statement-breakpoint
CREATE INDEX `tag_imports_created_at` ON `tag_imports` (`created_at`);