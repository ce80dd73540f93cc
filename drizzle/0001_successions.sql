CREATE TABLE `successions` (
	`key_id` text PRIMARY KEY NOT NULL,
	`statement` text NOT NULL,
	`created_at` integer NOT NULL
);
