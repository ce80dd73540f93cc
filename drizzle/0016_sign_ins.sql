CREATE TABLE `sign_ins` (
	`subject` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_ins_updated` ON `sign_ins` (`updated_at`);