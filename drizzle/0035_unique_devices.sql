-- Without a second tree, and without the order in which devices came: that would tell which device a row is of.
CREATE TABLE `use_devices` (
	`month` text NOT NULL,
	`hash` text NOT NULL,
	`label` text NOT NULL,
	PRIMARY KEY(`month`, `hash`, `label`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `use_keys` (
	`month` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `use_months` (
	`month` text NOT NULL,
	`scope` text NOT NULL,
	`id` text NOT NULL,
	`devices` integer NOT NULL,
	PRIMARY KEY(`month`, `scope`, `id`)
);
