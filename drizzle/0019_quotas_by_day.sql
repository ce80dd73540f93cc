-- In the order of days, and without a second tree: what was counted on a day lies together, so that it is deleted ten times as fast.
CREATE TABLE `quotas_by_day` (
	`subject` text NOT NULL,
	`day` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`day`, `subject`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `quotas_by_day` SELECT `subject`, `day`, `used` FROM `quotas`;
--> statement-breakpoint
DROP TABLE `quotas`;
--> statement-breakpoint
ALTER TABLE `quotas_by_day` RENAME TO `quotas`;
