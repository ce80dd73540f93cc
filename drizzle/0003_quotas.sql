CREATE TABLE `quotas` (
	`subject` text NOT NULL,
	`day` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`subject`, `day`)
);
--> statement-breakpoint
ALTER TABLE `devices` ADD `approved` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `device_logs_received_at` ON `device_logs` (`received_at`);