CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event` text NOT NULL,
	`sequence` integer,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`at` integer NOT NULL,
	`attempt` integer NOT NULL,
	`outcome` text NOT NULL,
	`status` integer,
	`reason` text,
	`duration_ms` integer NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_at` ON `webhook_deliveries` (`webhook_id`,`at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`state` text NOT NULL,
	`position` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`pending_since` integer,
	`next_at` integer DEFAULT 0 NOT NULL,
	`failed_at` integer,
	`failed_status` integer,
	`failed_reason` text,
	`lease` text,
	`lease_until` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
