-- Usernames and role codes that look the same cannot both be stored, however many requests create them at once.

-- A name as it looks: in small letters, and Cyrillic letters as the Latin ones that nobody tells them from.
create function folded_name(name text) returns text language sql immutable strict parallel safe
  return translate(lower(name), 'аеорсухіјѕԁһԛԝкмт', 'aeopcyxijsdhqwkmt');

alter table users add column username_folded text;
alter table roles add column code_folded text;

-- Of existing names that look the same the oldest keeps the plain one; the others get their id added. No name that is
-- accepted has a control character.
update users set username_folded = folded.name || case when folded.place > 1 then chr(31) || folded.id else '' end
from (select id, folded_name(username) as name,
    row_number() over (partition by folded_name(username) order by id) as place from users) as folded
where folded.id = users.id;
update roles set code_folded = folded.name || case when folded.place > 1 then chr(31) || folded.id else '' end
from (select id, folded_name(code) as name,
    row_number() over (partition by folded_name(code) order by id) as place from roles) as folded
where folded.id = roles.id;

alter table users alter column username_folded set not null;
alter table roles alter column code_folded set not null;
create unique index users_username_folded_key on users (username_folded);
create unique index roles_code_folded_key on roles (code_folded);

create function fold_username() returns trigger language plpgsql as $$
begin
  new.username_folded := folded_name(new.username);
  return new;
end $$;
create trigger users_fold_username_of_new before insert on users
  for each row execute function fold_username();
-- A row whose name stays keeps the id that was added above.
create trigger users_fold_username before update of username on users
  for each row when (old.username <> new.username) execute function fold_username();

create function fold_role_code() returns trigger language plpgsql as $$
begin
  new.code_folded := folded_name(new.code);
  return new;
end $$;
create trigger roles_fold_code_of_new before insert on roles
  for each row execute function fold_role_code();
create trigger roles_fold_code before update of code on roles
  for each row when (old.code <> new.code) execute function fold_role_code();
