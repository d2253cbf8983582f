-- A change of a lead has its currency, because a change of the currency alone changes the money. Null: the change is from before this
-- migration, or a process of the earlier version stored it.
alter table lead_history add column currency text;
alter table outgoing_postbacks add column currency text;
