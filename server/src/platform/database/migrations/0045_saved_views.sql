-- A saved view: the address of a screen of the web under a name. `screen`: the path with its tab.
create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null constraint saved_views_user_id_fkey references users on delete cascade,
  name text not null constraint saved_views_name_check check (length(name) between 1 and 80),
  screen text not null constraint saved_views_screen_check check (length(screen) between 1 and 2000),
  address text not null constraint saved_views_address_check check (length(address) between 1 and 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_views_user_id_name_screen_key unique (user_id, name, screen)
);

-- The roles that an admin shares a view with.
create table saved_view_roles (
  view_id bigint not null constraint saved_view_roles_view_id_fkey references saved_views on delete cascade,
  role_id bigint not null constraint saved_view_roles_role_id_fkey references roles on delete cascade,
  constraint saved_view_roles_pkey primary key (view_id, role_id)
);
create index saved_view_roles_role_id on saved_view_roles (role_id, view_id);

-- The view that opens when a person opens a screen without a query.
create table saved_view_defaults (
  user_id bigint not null constraint saved_view_defaults_user_id_fkey references users on delete cascade,
  screen text not null,
  view_id bigint not null constraint saved_view_defaults_view_id_fkey references saved_views on delete cascade,
  constraint saved_view_defaults_pkey primary key (user_id, screen)
);
create index saved_view_defaults_view_id on saved_view_defaults (view_id, user_id);
