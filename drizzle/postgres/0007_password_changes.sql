alter table administrators add column password_due boolean not null default false;
