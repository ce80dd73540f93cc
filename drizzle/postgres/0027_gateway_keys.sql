alter table api_keys add column sealed text collate "C";
