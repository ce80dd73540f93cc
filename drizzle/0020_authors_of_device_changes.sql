ALTER TABLE `device_changes` ADD `finished` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `device_changes` ADD `subject` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `device_changes` ADD `issuer` text;--> statement-breakpoint
ALTER TABLE `device_changes` ADD `name` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `device_changes` SET `finished` = true WHERE `done` >= `reach`;
