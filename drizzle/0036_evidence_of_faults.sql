-- Counts the devices by the kinds of their faults and by whether they are blocked and approved: only some of them are evidence.
DROP TRIGGER `devices_join_fault_counts`;--> statement-breakpoint
DROP TRIGGER `devices_move_fault_counts`;--> statement-breakpoint
DROP TRIGGER `devices_leave_fault_counts`;--> statement-breakpoint
DROP TABLE `device_fault_counts`;--> statement-breakpoint
CREATE TABLE `device_fault_counts` (
	`last_seen_day` integer NOT NULL,
	`version` text NOT NULL,
	`kind` text NOT NULL,
	`blocked` integer NOT NULL,
	`approved` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY (`last_seen_day`, `version`, `kind`, `blocked`, `approved`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `device_fault_counts`
	SELECT `last_seen_day`, `version`, `fault`.`value` ->> 'kind', `blocked`, `approved`, count(DISTINCT `devices`.`id`)
		FROM `devices`, json_each(`devices`.`faults`) AS `fault`
		WHERE `faults` <> '[]' GROUP BY 1, 2, 3, 4, 5;--> statement-breakpoint
CREATE TRIGGER `devices_join_fault_counts` AFTER INSERT ON `devices` WHEN NEW.`faults` <> '[]' BEGIN
	INSERT INTO `device_fault_counts`
		SELECT DISTINCT NEW.`last_seen_day`, NEW.`version`, `value` ->> 'kind', NEW.`blocked`, NEW.`approved`, 1 FROM json_each(NEW.`faults`) WHERE true
		ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `devices_move_fault_counts` AFTER UPDATE OF `last_seen_day`, `version`, `faults`, `blocked`, `approved` ON `devices`
	WHEN (OLD.`faults` <> '[]' OR NEW.`faults` <> '[]')
		AND (OLD.`last_seen_day`, OLD.`version`, OLD.`faults`, OLD.`blocked`, OLD.`approved`)
			IS NOT (NEW.`last_seen_day`, NEW.`version`, NEW.`faults`, NEW.`blocked`, NEW.`approved`) BEGIN
	UPDATE `device_fault_counts` SET `count` = `count` - 1
		WHERE (`last_seen_day`, `version`, `blocked`, `approved`) = (OLD.`last_seen_day`, OLD.`version`, OLD.`blocked`, OLD.`approved`)
			AND `kind` IN (SELECT `value` ->> 'kind' FROM json_each(OLD.`faults`));
	DELETE FROM `device_fault_counts`
		WHERE (`last_seen_day`, `version`, `blocked`, `approved`) = (OLD.`last_seen_day`, OLD.`version`, OLD.`blocked`, OLD.`approved`)
			AND `count` = 0 AND `kind` IN (SELECT `value` ->> 'kind' FROM json_each(OLD.`faults`));
	INSERT INTO `device_fault_counts`
		SELECT DISTINCT NEW.`last_seen_day`, NEW.`version`, `value` ->> 'kind', NEW.`blocked`, NEW.`approved`, 1 FROM json_each(NEW.`faults`) WHERE true
		ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `devices_leave_fault_counts` AFTER DELETE ON `devices` WHEN OLD.`faults` <> '[]' BEGIN
	UPDATE `device_fault_counts` SET `count` = `count` - 1
		WHERE (`last_seen_day`, `version`, `blocked`, `approved`) = (OLD.`last_seen_day`, OLD.`version`, OLD.`blocked`, OLD.`approved`)
			AND `kind` IN (SELECT `value` ->> 'kind' FROM json_each(OLD.`faults`));
	DELETE FROM `device_fault_counts`
		WHERE (`last_seen_day`, `version`, `blocked`, `approved`) = (OLD.`last_seen_day`, OLD.`version`, OLD.`blocked`, OLD.`approved`)
			AND `count` = 0 AND `kind` IN (SELECT `value` ->> 'kind' FROM json_each(OLD.`faults`));
END;
