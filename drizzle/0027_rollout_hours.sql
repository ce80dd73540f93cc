CREATE TABLE `rollout_hours` (
	`rollout_id` text NOT NULL,
	`hour` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`rollout_id`, `hour`),
	FOREIGN KEY (`rollout_id`) REFERENCES `rollouts`(`id`) ON UPDATE no action ON DELETE cascade
);
