CREATE TABLE `rollout_devices` (
	`rollout_id` text NOT NULL,
	`device_id` text NOT NULL,
	`arm` text NOT NULL,
	`stage` integer NOT NULL,
	`since` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`faults` text NOT NULL,
	`installed_at` integer,
	`outcome` text,
	PRIMARY KEY(`rollout_id`, `device_id`),
	FOREIGN KEY (`rollout_id`) REFERENCES `rollouts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rollout_devices_device` ON `rollout_devices` (`device_id`);--> statement-breakpoint
CREATE TABLE `rollouts` (
	`id` text PRIMARY KEY NOT NULL,
	`version_id` text NOT NULL,
	`flag` text NOT NULL,
	`state` text NOT NULL,
	`plan` text NOT NULL,
	`salt` text NOT NULL,
	`stage` integer NOT NULL,
	`stage_at` integer,
	`halt` text,
	`evidence` text,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rollouts_open_version` ON `rollouts` (`version_id`) WHERE "state" <> 'finished';--> statement-breakpoint
CREATE INDEX `rollouts_created_at` ON `rollouts` (`created_at`);