CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`operation` text NOT NULL,
	`params` text NOT NULL,
	`query` text NOT NULL,
	`body` text,
	`reach` integer NOT NULL,
	`max_reach` integer NOT NULL,
	`subject` text NOT NULL,
	`issuer` text,
	`name` text NOT NULL,
	`is_local` integer NOT NULL,
	`sequence` integer NOT NULL,
	`created_at` integer NOT NULL
);
