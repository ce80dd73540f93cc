-- Finds devices by any part of their names. Its rows have the rowids of the devices.
CREATE VIRTUAL TABLE `device_names` USING fts5(`hostname`, `username`, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');--> statement-breakpoint
INSERT INTO `device_names` (`rowid`, `hostname`, `username`)
	SELECT `rowid`, `hostname`, `username` FROM `devices` WHERE `hostname` IS NOT NULL OR `username` IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `devices_add_names` AFTER INSERT ON `devices` WHEN NEW.`hostname` IS NOT NULL OR NEW.`username` IS NOT NULL BEGIN
	INSERT INTO `device_names` (`rowid`, `hostname`, `username`) VALUES (NEW.`rowid`, NEW.`hostname`, NEW.`username`);
END;--> statement-breakpoint
CREATE TRIGGER `devices_change_names` AFTER UPDATE OF `device`, `user` ON `devices`
	WHEN OLD.`hostname` IS NOT NEW.`hostname` OR OLD.`username` IS NOT NEW.`username` BEGIN
	DELETE FROM `device_names` WHERE `rowid` = OLD.`rowid`;
	INSERT INTO `device_names` (`rowid`, `hostname`, `username`) VALUES (NEW.`rowid`, NEW.`hostname`, NEW.`username`);
END;--> statement-breakpoint
CREATE TRIGGER `devices_remove_names` AFTER DELETE ON `devices` BEGIN
	DELETE FROM `device_names` WHERE `rowid` = OLD.`rowid`;
END;
