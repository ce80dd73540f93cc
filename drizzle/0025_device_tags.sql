ALTER TABLE `devices` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
-- Finds devices by their tags: those that administrators gave, and those that devices report. Triggers keep it as devices change.
CREATE TABLE `device_tags` (
	`tag` text NOT NULL,
	`device_id` text NOT NULL,
	PRIMARY KEY (`tag`, `device_id`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `device_tags_device` ON `device_tags` (`device_id`);--> statement-breakpoint
CREATE TRIGGER `devices_add_tags` AFTER INSERT ON `devices`
	WHEN NEW.`tags` <> '[]' OR NEW.`device` ->> 'tags' IS NOT NULL BEGIN
	INSERT INTO `device_tags` (`tag`, `device_id`)
		SELECT `value`, NEW.`id` FROM json_each(NEW.`tags`) UNION SELECT `value`, NEW.`id` FROM json_each(NEW.`device`, '$.tags');
END;--> statement-breakpoint
CREATE TRIGGER `devices_change_tags` AFTER UPDATE OF `tags`, `device` ON `devices`
	WHEN OLD.`tags` IS NOT NEW.`tags` OR OLD.`device` ->> 'tags' IS NOT NEW.`device` ->> 'tags' BEGIN
	DELETE FROM `device_tags` WHERE `device_id` = OLD.`id`;
	INSERT INTO `device_tags` (`tag`, `device_id`)
		SELECT `value`, NEW.`id` FROM json_each(NEW.`tags`) UNION SELECT `value`, NEW.`id` FROM json_each(NEW.`device`, '$.tags');
END;--> statement-breakpoint
CREATE TRIGGER `devices_remove_tags` AFTER DELETE ON `devices` BEGIN
	DELETE FROM `device_tags` WHERE `device_id` = OLD.`id`;
END;
