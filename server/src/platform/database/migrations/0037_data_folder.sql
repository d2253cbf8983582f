-- The mark of the data folder that belongs to this database. The folder has the same mark in a file.
create table data_folder (
  is_only boolean primary key default true check (is_only),
  mark uuid not null
);
