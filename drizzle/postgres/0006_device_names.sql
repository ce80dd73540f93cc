-- Finds devices by any part of their names. Without pg_trgm, which an account may not be allowed to create, the search reads all names.
do $$ begin
  create extension if not exists pg_trgm;
  create index devices_hostname_parts on devices using gin (hostname gin_trgm_ops);
  create index devices_username_parts on devices using gin (username gin_trgm_ops);
exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
  raise notice 'Cannot use pg_trgm: %', sqlerrm;
end $$;
