create index audit_summarized on audit (sequence) where not (kind = 'device' and operation = 'changeDevices');
