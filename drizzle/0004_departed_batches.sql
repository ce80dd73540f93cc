CREATE TABLE `departed_batches` (
	`fingerprint` text NOT NULL,
	`id` text NOT NULL,
	`last_seen_day` integer NOT NULL,
	PRIMARY KEY(`fingerprint`, `id`)
);
--> statement-breakpoint
CREATE INDEX `departed_batches_last_seen_day` ON `departed_batches` (`last_seen_day`);
--> statement-breakpoint
-- A device that is deleted and registers again has a new id, and sends the batches again that it was not told of.
CREATE TRIGGER `devices_leave_batches` BEFORE DELETE ON `devices` BEGIN
	INSERT OR IGNORE INTO `departed_batches` (`fingerprint`, `id`, `last_seen_day`)
		SELECT OLD.`fingerprint`, `id`, OLD.`last_seen_day` FROM `counter_batches` WHERE `device_id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `devices_take_batches` AFTER INSERT ON `devices` BEGIN
	INSERT OR IGNORE INTO `counter_batches` (`device_id`, `id`)
		SELECT NEW.`id`, `id` FROM `departed_batches` WHERE `fingerprint` = NEW.`fingerprint`;
	DELETE FROM `departed_batches` WHERE `fingerprint` = NEW.`fingerprint`;
END;
