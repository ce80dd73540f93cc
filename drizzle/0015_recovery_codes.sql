CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`administrator` text NOT NULL,
	`used_at` integer,
	`used_from` text,
	FOREIGN KEY (`administrator`) REFERENCES `administrators`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_administrator` ON `recovery_codes` (`administrator`);