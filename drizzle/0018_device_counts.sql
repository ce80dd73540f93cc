-- Counts the devices by what administrators count them by. Triggers keep it as devices change.
CREATE TABLE `device_counts` (
	`last_seen_day` integer NOT NULL,
	`version` text NOT NULL,
	`platform` text NOT NULL,
	`blocked` integer NOT NULL,
	`approved` integer NOT NULL,
	`faulty` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY (`last_seen_day`, `version`, `platform`, `blocked`, `approved`, `faulty`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `device_counts`
	SELECT `last_seen_day`, `version`, `platform`, `blocked`, `approved`, `faults` <> '[]', count(*) FROM `devices` GROUP BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
CREATE TRIGGER `devices_join_counts` AFTER INSERT ON `devices` BEGIN
	INSERT INTO `device_counts` VALUES (NEW.`last_seen_day`, NEW.`version`, NEW.`platform`, NEW.`blocked`, NEW.`approved`, NEW.`faults` <> '[]', 1)
		ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `devices_move_counts` AFTER UPDATE OF `last_seen_day`, `version`, `platform`, `blocked`, `approved`, `faults` ON `devices`
	WHEN (OLD.`last_seen_day`, OLD.`version`, OLD.`platform`, OLD.`blocked`, OLD.`approved`, OLD.`faults` <> '[]')
		IS NOT (NEW.`last_seen_day`, NEW.`version`, NEW.`platform`, NEW.`blocked`, NEW.`approved`, NEW.`faults` <> '[]') BEGIN
	UPDATE `device_counts` SET `count` = `count` - 1
		WHERE (`last_seen_day`, `version`, `platform`, `blocked`, `approved`, `faulty`)
			= (OLD.`last_seen_day`, OLD.`version`, OLD.`platform`, OLD.`blocked`, OLD.`approved`, OLD.`faults` <> '[]');
	DELETE FROM `device_counts`
		WHERE (`last_seen_day`, `version`, `platform`, `blocked`, `approved`, `faulty`)
			= (OLD.`last_seen_day`, OLD.`version`, OLD.`platform`, OLD.`blocked`, OLD.`approved`, OLD.`faults` <> '[]') AND `count` = 0;
	INSERT INTO `device_counts` VALUES (NEW.`last_seen_day`, NEW.`version`, NEW.`platform`, NEW.`blocked`, NEW.`approved`, NEW.`faults` <> '[]', 1)
		ON CONFLICT DO UPDATE SET `count` = `count` + 1;
END;--> statement-breakpoint
CREATE TRIGGER `devices_leave_counts` AFTER DELETE ON `devices` BEGIN
	UPDATE `device_counts` SET `count` = `count` - 1
		WHERE (`last_seen_day`, `version`, `platform`, `blocked`, `approved`, `faulty`)
			= (OLD.`last_seen_day`, OLD.`version`, OLD.`platform`, OLD.`blocked`, OLD.`approved`, OLD.`faults` <> '[]');
	DELETE FROM `device_counts`
		WHERE (`last_seen_day`, `version`, `platform`, `blocked`, `approved`, `faulty`)
			= (OLD.`last_seen_day`, OLD.`version`, OLD.`platform`, OLD.`blocked`, OLD.`approved`, OLD.`faults` <> '[]') AND `count` = 0;
END;
