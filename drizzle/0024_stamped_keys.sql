CREATE TABLE `stamped_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stamped_keys_created` ON `stamped_keys` (`created_at`);--> statement-breakpoint
INSERT INTO `stamped_keys` SELECT `hash`, `created_at` FROM `api_keys` WHERE `kind` = 'registration' AND `consumer_id` IN (
	SELECT `id` FROM `versions` WHERE `wrapped_key` IS NOT NULL
);
