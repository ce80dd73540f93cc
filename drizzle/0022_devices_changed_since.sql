ALTER TABLE `changed_devices` ADD `changed_since` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `changed_devices_device` ON `changed_devices` (`device_id`);--> statement-breakpoint
CREATE INDEX `changed_devices_since` ON `changed_devices` (`change_id`) WHERE "changed_since";--> statement-breakpoint
UPDATE `changed_devices` SET `changed_since` = true WHERE EXISTS (
	SELECT 1 FROM `changed_devices` `later`
	JOIN `device_changes` `change` ON `change`.`id` = `later`.`change_id`
	JOIN `device_changes` `own` ON `own`.`id` = `changed_devices`.`change_id`
	WHERE `later`.`device_id` = `changed_devices`.`device_id` AND `change`.`created_at` > `own`.`created_at`
		AND `change`.`change` IN ('block', 'unblock')
);
