CREATE INDEX `browser_sessions_subject` ON `browser_sessions` (`subject`,`created_at`);--> statement-breakpoint
CREATE INDEX `login_delays_not_before` ON `login_delays` (`not_before`);--> statement-breakpoint
CREATE INDEX `login_delays_address` ON `login_delays` (`address`,`not_before`);--> statement-breakpoint
CREATE INDEX `sessions_administrator` ON `sessions` (`administrator`,`created_at`);