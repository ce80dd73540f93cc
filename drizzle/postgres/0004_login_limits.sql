create index login_delays_not_before on login_delays (not_before);
create index login_delays_address on login_delays (address, not_before);
create index sessions_administrator on sessions (administrator, created_at);
create index browser_sessions_subject on browser_sessions (subject, created_at);
