-- The address of a saved view has no tab that its screen shows first: /statistics?tab=daily and /statistics are one screen.
-- A view whose name the screen has already gets its id behind the name.
with first_tabs (path, tab) as (values
  ('/alerts', 'inbox'), ('/leads', 'leads'), ('/money', 'balance'), ('/settings/cpa-websites', 'sources'),
  ('/settings/statuses', 'status-types'), ('/settlements', 'withdrawals'), ('/statistics', 'daily'),
  ('/uploads', 'uploads'), ('/users', 'users')
), corrected_views as (
  update saved_views v set screen = f.path,
    address = regexp_replace(regexp_replace(v.address, '([?&])tab=' || f.tab || '&', '\1'), '[?&]tab=' || f.tab || '$', ''),
    name = case when exists (select from saved_views o
        where o.user_id = v.user_id and o.name = v.name and o.screen = f.path)
      then left(v.name, 60) || ' ' || v.id else v.name end
  from first_tabs f where v.screen = f.path || '?tab=' || f.tab
), deleted_defaults as (
  delete from saved_view_defaults d using first_tabs f
  where d.screen = f.path || '?tab=' || f.tab
    and exists (select from saved_view_defaults o where o.user_id = d.user_id and o.screen = f.path)
)
update saved_view_defaults d set screen = f.path from first_tabs f
where d.screen = f.path || '?tab=' || f.tab
  and not exists (select from saved_view_defaults o where o.user_id = d.user_id and o.screen = f.path);
