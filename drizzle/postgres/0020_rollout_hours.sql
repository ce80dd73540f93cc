create table rollout_hours (
  rollout_id text collate "C" not null references rollouts (id) on delete cascade,
  hour bigint not null,
  counts text collate "C" not null,
  primary key (rollout_id, hour)
);
