CREATE INDEX `audit_summarized` ON `audit` (`sequence`) WHERE not (`kind` = 'device' and `operation` = 'changeDevices');
