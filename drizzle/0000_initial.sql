CREATE TABLE `administrators` (
	`name` text PRIMARY KEY NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`consumer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`kind`,`consumer_id`) REFERENCES `consumers`(`kind`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `api_keys_consumer` ON `api_keys` (`kind`,`consumer_id`);--> statement-breakpoint
CREATE TABLE `audit` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`subject` text NOT NULL,
	`issuer` text,
	`name` text NOT NULL,
	`operation` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`fields` text NOT NULL,
	`address` text,
	`request_id` text
);
--> statement-breakpoint
CREATE INDEX `audit_resource` ON `audit` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit` (`at`);--> statement-breakpoint
CREATE TABLE `configurations` (
	`id` text PRIMARY KEY NOT NULL,
	`version_id` text NOT NULL,
	`type` text NOT NULL,
	`config` text NOT NULL,
	`secret` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`version_id`) REFERENCES `versions`(`id`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE UNIQUE INDEX `configurations_version_id_type_unique` ON `configurations` (`version_id`,`type`);--> statement-breakpoint
CREATE TABLE `consumers` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`)
);
--> statement-breakpoint
CREATE TABLE `counter_batches` (
	`device_id` text NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`device_id`, `id`),
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`day` text NOT NULL,
	`label` text NOT NULL,
	`module` text NOT NULL,
	`use_case` text NOT NULL,
	`tag` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `label`, `module`, `use_case`, `tag`)
);
--> statement-breakpoint
CREATE TABLE `device_logs` (
	`device_id` text PRIMARY KEY NOT NULL,
	`media` text NOT NULL,
	`bytes` text NOT NULL,
	`received_at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`key` text NOT NULL,
	`version` text NOT NULL,
	`platform` text NOT NULL,
	`device` text NOT NULL,
	`user` text NOT NULL,
	`blocked` integer NOT NULL,
	`registrations` integer NOT NULL,
	`registered_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`asserted_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`last_seen_day` integer NOT NULL,
	`state` text,
	`revision` integer NOT NULL,
	`verdict` text,
	`keystore` text,
	`faults` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_fingerprint_unique` ON `devices` (`fingerprint`);--> statement-breakpoint
CREATE INDEX `devices_last_seen_day` ON `devices` (`last_seen_day`);--> statement-breakpoint
CREATE TABLE `downloads` (
	`version_id` text NOT NULL,
	`os` text NOT NULL,
	`day` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`version_id`, `os`, `day`)
);
--> statement-breakpoint
CREATE TABLE `labels` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`org_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE INDEX `labels_org` ON `labels` (`org_id`);--> statement-breakpoint
CREATE TABLE `login_delays` (
	`account` text NOT NULL,
	`address` text NOT NULL,
	`failures` integer NOT NULL,
	`not_before` integer NOT NULL,
	PRIMARY KEY(`account`, `address`)
);
--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`administrator` text NOT NULL,
	`generation` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`administrator`) REFERENCES `administrators`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`use` text NOT NULL,
	`sequence` integer NOT NULL,
	`algorithm` text NOT NULL,
	`public_key` text NOT NULL,
	`private_key` text NOT NULL,
	`signs_from` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signing_keys_use_sequence_unique` ON `signing_keys` (`use`,`sequence`);--> statement-breakpoint
CREATE TABLE `versions` (
	`id` text PRIMARY KEY NOT NULL,
	`precedence` text NOT NULL,
	`recommended` integer NOT NULL,
	`mandatory` integer NOT NULL,
	`allowed` integer NOT NULL,
	`uris` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `versions_precedence_unique` ON `versions` (`precedence`);
--> statement-breakpoint
-- Lets the audit only grow. Stands at the end of the first migration: drizzle-kit, which makes the rest, knows no triggers.
CREATE TRIGGER `audit_keeps_entries` BEFORE UPDATE ON `audit` BEGIN
	SELECT RAISE(ABORT, 'Cannot change an entry of the audit: it only grows');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_loses_none` BEFORE DELETE ON `audit` BEGIN
	SELECT RAISE(ABORT, 'Cannot remove an entry of the audit: it only grows');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_replaces_none` BEFORE INSERT ON `audit` WHEN EXISTS (SELECT 1 FROM `audit` WHERE `sequence` = NEW.`sequence`) BEGIN
	SELECT RAISE(ABORT, 'Cannot replace an entry of the audit: it only grows');
END;
