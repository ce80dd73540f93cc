CREATE TABLE `api_client_credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`client` text NOT NULL,
	`kind` text NOT NULL,
	`digest` text,
	`jwk` text,
	`trust` text,
	`expires_at` integer,
	`used_at` integer,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	FOREIGN KEY (`client`) REFERENCES `api_clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `api_client_credentials_client` ON `api_client_credentials` (`client`,`created_at`);--> statement-breakpoint
CREATE TABLE `api_clients` (
	`id` text PRIMARY KEY NOT NULL,
	`role` text NOT NULL,
	`description` text,
	`expires_at` integer,
	`used_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `client_assertions` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `client_assertions_expires` ON `client_assertions` (`expires_at`);