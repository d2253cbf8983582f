-- Since when the courier no longer lists a settlement act that it gave. It can delete an act, or issue it again with another code.
alter table settlement_acts add column unlisted_at timestamptz;
