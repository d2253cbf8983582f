-- The name of a unique constraint names the field of the form that an error belongs to. No form has a field `scope`.
alter table payout_terms rename constraint payout_terms_scope_key to payout_terms_valid_from_key;
