-- The hosts that a source credential's secrets were typed for, as origins ("https://api.example.uz"): they are sent to no
-- other one. Null until the credential is first used, or while its source has no address.
alter table source_credentials add column secret_hosts text[];
