CREATE TABLE `refusals` (
	`id` integer PRIMARY KEY NOT NULL,
	`address` text NOT NULL,
	`reason` text NOT NULL,
	`fingerprint` text NOT NULL,
	`detail` text NOT NULL,
	`count` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`request_id` text NOT NULL,
	`key_version` text,
	`version` text,
	`platform` text,
	`hostname` text
);
--> statement-breakpoint
CREATE INDEX `refusals_last_at` ON `refusals` (`last_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `refusals_address_reason_fingerprint_unique` ON `refusals` (`address`,`reason`,`fingerprint`);