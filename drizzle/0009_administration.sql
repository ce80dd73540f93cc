CREATE TABLE `browser_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`administrator` text,
	`subject` text NOT NULL,
	`name` text NOT NULL,
	`tokens` text,
	`renews_until` integer,
	`address` text NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`administrator`) REFERENCES `administrators`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `browser_sessions_hash_unique` ON `browser_sessions` (`hash`);--> statement-breakpoint
ALTER TABLE `administrators` ADD `role` text DEFAULT 'administrator' NOT NULL;--> statement-breakpoint
ALTER TABLE `administrators` ADD `totp_secret` text;--> statement-breakpoint
ALTER TABLE `administrators` ADD `totp_step` integer;--> statement-breakpoint
ALTER TABLE `configurations` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `labels` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `revision` integer DEFAULT 1 NOT NULL;