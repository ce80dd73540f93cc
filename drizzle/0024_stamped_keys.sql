CREATE TABLE `stamped_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stamped_keys_created` ON `stamped_keys` (`created_at`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `rollout_devices_open` ON `rollout_devices` (`rollout_id`,`seen_at`) WHERE "outcome" is null;--> statement-breakpoint
INSERT INTO `stamped_keys` SELECT `hash`, `created_at` FROM `api_keys` WHERE `kind` = 'registration' AND `consumer_id` IN (
	SELECT `id` FROM `versions` WHERE `wrapped_key` IS NOT NULL
);
