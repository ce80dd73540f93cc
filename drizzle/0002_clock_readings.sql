CREATE TABLE `clock_readings` (
	`id` integer PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`steady_since` integer NOT NULL
);
