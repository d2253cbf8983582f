import { afterEach, beforeEach, expect, test } from 'vitest'
import { openUpgradeDatabase, type UpgradeDatabase } from '../../../test/upgrade.ts'

/** The last migration of the first release. */
const last = '0043_person_language.sql'

/** Rows of each table that a later migration changes, with the columns of 1.0.0. */
const inserts = `
  insert into users (username, name, email, password_hash, role_id)
    select 'aziz', 'Aziz', 'aziz@example.uz', '-', min(id) from roles;
  insert into parcels (orderno, owner_id, day, status_code, status_title, eventtime, cash_on_delivery, insured_price)
    select 'K-1', id, '2026-11-20', 'DELIVERED', 'Доставлен', '2026-11-21 10:00+05', 250000.50, 300000 from users;
  insert into telegram_chats (configured, current, rests_until, turns)
    values ('-100', '-200', '2026-11-21 10:00+05', array['2026-11-21 09:59:58+05', '2026-11-21 09:59:59+05']::timestamptz[]);
  update courier_turns set next_at = '2026-11-21 10:00+05';
  update late_leads set seen_id = 7;
  update database_clock set seen_at = '2026-11-21 10:00+05';
  insert into imports (key, user_id, kind, file, size, seen_at)
    select gen_random_uuid(), id, 'leads', 'leads.csv', 12, '2026-11-21 10:00+05' from users;
  insert into courier_accounts (name, url, login, user_id)
    select 'Courier', 'https://courier.example', 'aziz', id from users;
  insert into sync_states (courier_account_id, asked_by, full_asked_at, good_at, memory)
    select c.id, c.user_id, '2026-11-21 10:00+05', '2026-11-21 09:00+05', '{"page": 2}' from courier_accounts c;
  insert into sync_runs (courier_account_id, asked_by, seen_at)
    select id, user_id, '2026-11-21 10:00+05' from courier_accounts;
  insert into cpa_sources (name, url) values ('Network', 'https://network.example');
  insert into streams (name, source_id) select 'A stream', id from cpa_sources;
  insert into postbacks (source_id, method, params, outcome, reason)
    select id, 'GET', '{}', 'created', reason
    from cpa_sources, unnest(array['unmapped_word', 'duplicate', null]) reason;
  insert into postback_templates (name, stream_id, url)
    select 'Tracker', id, 'https://tracker.example/?word={word}&again={WORD}&status={status}' from streams;
  insert into connectors (code, name, description)
    values ('deals', 'Deals', '{"base_url": "https://deals.example", "manners": {"max_pages": 50}}'),
      ('plain', 'Plain', '{"base_url": "https://plain.example"}');
  insert into cpa_websites (name, cpa_source_id, mapping)
    select name, id, mapping from cpa_sources,
      unnest(array['{"manners": {"page_delay_ms": 20}}', '{"images_url": "/i"}', null]::jsonb[]) mapping;`

/** The names and values of 1.0.0, with those that replaced them. Applied to the JSON text of rows. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/"cash_on_delivery":/, '"cod_amount":'],
  [/"insured_price":/, '"declared_value":'],
  [/"rests_until":/, '"paused_until":'],
  [/"turns":/, '"sent_times":'],
  [/"seen_id":/, '"last_checked_id":'],
  [/"asked_by":/, '"requested_by":'],
  [/"full_asked_at":/, '"full_requested_at":'],
  [/"good_at":/, '"last_success_at":'],
  [/"unmapped_word"/, '"unmapped_status"'],
  [/\{word\}/gi, '{source_status}'],
  [/"manners":/, '"limits":'],
]
const renamedTables: Readonly<Record<string, string>> = { courier_turns: 'courier_rate_limit' }

let database: UpgradeDatabase

beforeEach(async () => {
  database = await openUpgradeDatabase()
})
afterEach(() => database[Symbol.asyncDispose]())

/** The rows of each table that has any, as JSON text. */
async function readRows(): Promise<Map<string, string[]>> {
  const tables = await database.readColumn<string>(
    `select table_name::text from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> 'schema_migrations'`,
  )
  const entries = new Map<string, string[]>()
  for (const table of tables) {
    const rows = await database.readColumn<string>(`select to_json(t)::text from ${table} t`)
    if (rows.length > 0) entries.set(table, rows)
  }
  return entries
}

function translateRow(table: string, row: string): unknown {
  const seenAt = table === 'database_clock' ? '"stored_at":' : '"heartbeat_at":'
  return JSON.parse(
    replacements.reduce((text, [from, to]) => text.replace(from, to), row.replace('"seen_at":', seenAt)),
  )
}

test('an upgrade from 1.0.0 keeps the rows of each table', async () => {
  await database.migrate(last)
  await database.client.query(inserts)
  const before = await readRows()
  expect([...before.keys()]).toEqual(
    expect.arrayContaining(['parcels', 'telegram_chats', 'courier_turns', 'sync_runs', 'cpa_websites']),
  )
  await database.migrate()
  const after = await readRows()
  for (const [table, rows] of before) {
    const keptRows = (after.get(renamedTables[table] ?? table) ?? []).map((row): unknown => JSON.parse(row))
    for (const row of rows)
      expect(keptRows, table).toContainEqual(expect.objectContaining(translateRow(table, row) as object))
  }
})

test('a function of 1.0.0 reads the columns by their new names', async () => {
  await database.migrate(last)
  await database.client.query(inserts)
  await database.migrate()
  expect(await database.readColumn(`select parcel_news_since(id)::text from users`)).toEqual([
    '2026-11-19 04:00:00+00',
  ])
})

test('an upgrade moves the filters of an alert rule to lists', async () => {
  await database.migrate('0049_lead_segments.sql')
  await database.client.query(`
    insert into users (username, name, email, password_hash, role_id)
      select 'aziz', 'Aziz', 'aziz@example.uz', '-', min(id) from roles;
    insert into cpa_sources (name, url) values ('Network', 'https://network.example');
    insert into streams (name, source_id) select 'A stream', id from cpa_sources;
    insert into alert_rules (kind, name, owner_id, threshold, source_id, stream_id, buyer_id)
      select 'silence', 'Quiet', u.id, 60, s.source_id, s.id, u.id from users u, streams s where u.username = 'aziz';
    insert into alert_rules (kind, name, owner_id, threshold) select 'silence', 'All', id, 60 from users where username = 'aziz'`)
  await database.migrate()
  expect(
    await database.readColumn(`select format('%s: %s, %s, %s, %s', r.name, r.source_ids = array[s.source_id], r.offer_ids = '{}',
        r.stream_ids = array[s.id], r.buyer_ids = array[r.owner_id])
      from alert_rules r, streams s where r.owner_id is not null order by r.id`),
  ).toEqual(['Quiet: t, t, t, t', 'All: f, t, f, f'])
})

test('an upgrade renames the problem of parcels without progress in saved views', async () => {
  await database.migrate('0064_notice_indexes.sql')
  await database.client.query(`
    insert into users (username, name, email, password_hash, role_id)
      select 'aziz', 'Aziz', 'aziz@example.uz', '-', min(id) from roles;
    insert into saved_views (user_id, name, screen, address)
      select u.id, address, '/parcels', address from users u, unnest(array['/parcels?problem=still&still_days=3&search=still',
        '/parcels?problem=lost']) address where u.username = 'aziz'`)
  await database.migrate()
  expect(await database.readColumn('select address from saved_views order by id')).toEqual([
    '/parcels?problem=no_progress&no_progress_days=3&search=still',
    '/parcels?problem=lost',
  ])
})

test('an upgrade keeps the progress of syncs under its new names', async () => {
  await database.migrate('0065_no_progress.sql')
  const scan = { begun_at: '2026-11-20T00:00:00Z', newest: null, oldest: null, at: '"full":' }
  const memory = {
    whole_runs: 2,
    last_whole: scan,
    open_since: 'x',
    full: scan,
    full_begun_at: 'y',
    money: { transactions: { full: scan } },
  }
  await database.client.query(`
    insert into users (username, name, email, password_hash, role_id)
      select 'aziz', 'Aziz', 'aziz@example.uz', '-', min(id) from roles;
    insert into courier_accounts (name, url, login, user_id) select 'Courier', 'https://courier.example', '-', id from users`)
  await database.client.query(
    `insert into sync_states (courier_account_id, memory) select id, $1 from courier_accounts
     on conflict (courier_account_id) do update set memory = excluded.memory`,
    [JSON.stringify(memory)],
  )
  await database.client.query(`insert into sync_runs (courier_account_id, counts)
    select id, '{"full_readings": 1, "full_reading_rows": 60, "rows": 60}' from courier_accounts`)
  await database.migrate()
  const renamedScan = { started_at: scan.begun_at, newest: null, oldest: null, at: '"full":' }
  expect(await database.readColumn('select memory from sync_states')).toEqual([
    {
      complete_scans: 2,
      last_complete_scan: renamedScan,
      open_leads_since: 'x',
      full_scan: renamedScan,
      last_full_scan_at: 'y',
      money: { transactions: { full_scan: renamedScan } },
    },
  ])
  expect(await database.readColumn('select counts from sync_runs')).toEqual([
    { full_scans: 1, full_scan_rows: 60, rows: 60 },
  ])
})

test('an upgrade counts the days of leads without a buyer, and they follow the owners of streams', async () => {
  const figures = 'accepted, cancel, recall, send, sold, returned, hold, profit, hold_amount'
  await database.migrate('0057_fewer_lead_indexes.sql')
  await database.client.query(`
    insert into users (username, name, email, password_hash, role_id)
      select 'aziz', 'Aziz', 'aziz@example.uz', '-', min(id) from roles;
    insert into cpa_sources (name, url) values ('Network', 'https://network.example');
    insert into streams (name, source_id, user_id)
      select stream, s.id, case stream when 'Owned' then u.id end
      from cpa_sources s, users u, unnest(array['Owned', 'Free']) stream where username = 'aziz';
    insert into stream_totals (span, start, source_id, stream_id, offer_id, leads, ${figures})
      select span, date '2026-11-20', min(source_id), 0, offer, 2, 0, 0, 0, 0, 1, 0, 0, 10.50, 0
        from streams, unnest(array[1, 4]) span, unnest(array[0, 7]) offer group by span, offer
      union all select span, date '2026-11-20', source_id, id, 0, case name when 'Owned' then 2 else 3 end, 0, 0, 0, 0, 1, 0, 0, 7.25, 0
        from streams, unnest(array[1, 4]) span;
    insert into owner_days (user_id, day, source_id, leads, ${figures})
      select user_id, date '2026-11-20', source_id, 2, 0, 0, 0, 0, 1, 0, 0, 7.25, 0 from streams where user_id is not null`)
  await database.migrate()
  const readDays = () =>
    database.readColumn<string>(`select format('%s: %s leads, %s', case when d.user_id > 0 then u.name else d.user_id::text end, leads, profit)
      from buyer_days d left join users u on u.id = d.user_id order by d.user_id`)
  expect(await readDays()).toEqual(['-1: 4 leads, 21.00', '0: 3 leads, 7.25', 'Aziz: 2 leads, 7.25'])
  await database.client.query(
    `update streams set user_id = (select id from users where username = 'aziz') where name = 'Free'`,
  )
  expect(await readDays()).toEqual(['-1: 4 leads, 21.00', '0: 0 leads, 0.00', 'Aziz: 5 leads, 14.50'])
  await database.client.query(`delete from streams where name = 'Owned'`)
  expect(await readDays()).toEqual(['-1: 4 leads, 21.00', '0: 2 leads, 7.25', 'Aziz: 3 leads, 7.25'])
})

test('an upgrade stores the currencies of stored leads, and a repeated run stores none twice', async () => {
  const readCurrencies = () =>
    database.readColumn<string>(`select format('%s: %s', c.currency, coalesce(s.name, 'none'))
      from lead_currencies c left join streams s on s.id = c.stream_id order by c.currency, c.stream_id`)
  const insertLeads = (count: number, prefix: string) =>
    database.client.query(`
      insert into leads (source_id, external_id, stream_id, source_status, currency, day, created_at, updated_at)
        select s.source_id, '${prefix}' || n, case n % 3 when 0 then s.id end, 'sold', case n % 2 when 0 then 'USD' else 'UZS' end,
          '2026-11-20', '2026-11-20', '2026-11-20'
        from streams s, generate_series(1, ${count}) n where s.name = 'Reels'`)
  await database.migrate('0066_scan_names.sql')
  await database.client.query(`
    insert into cpa_sources (name, url) values ('Network', 'https://network.example');
    insert into streams (name, source_id) select stream, id from cpa_sources, unnest(array['Reels', 'Quiet']) stream`)
  await insertLeads(30_000, 'old')
  await database.client.query(`update leads set currency = 'EUR' where external_id = 'old30000'`)
  await database.migrate('0067_lead_currencies.sql')
  expect(await readCurrencies()).toEqual([])
  // Written by a process of the earlier version while the upgrade runs.
  await insertLeads(1, 'new')
  expect(await readCurrencies()).toEqual(['UZS: none'])
  const last = '0068_lead_currencies_stored.sql'
  await database.migrate(last)
  const expected = ['EUR: Reels', 'USD: none', 'USD: Reels', 'UZS: none', 'UZS: Reels']
  expect(await readCurrencies()).toEqual(expected)

  await database.client.query('delete from schema_migrations where name = $1', [last])
  await database.migrate(last)
  expect(await readCurrencies()).toEqual(expected)
})

test('an upgrade queues the leads of the ledger again, so that one that left a status before its new type was posted is corrected', async () => {
  const readQueue = () => database.readColumn<string>('select id::text from lead_posting_queue')
  const countUnposted = () =>
    database.readColumn<number>(`select count(*)::integer from (select cause_id from ledger_entries where account_kind = 'network'
      group by cause_id having sum(amount) <> 0) e`)
  await database.migrate('0076_terms_currency.sql')
  await database.client.query(`
    delete from lead_posting_queue;
    insert into cpa_sources (name, url) values ('Network', 'https://network.example');
    insert into leads (source_id, external_id, source_status, status_id, payout, currency, day, created_at, updated_at)
      select s.id, '1', 'sold', t.id, 100, 'UZS', '2026-11-20', '2026-11-20', '2026-11-20' from cpa_sources s, statuses t
      where t.name = 'Sold';
    update statuses set type_id = (select id from status_types where code = 'send') where name = 'Sold';
    update leads set status_id = (select id from statuses where name = 'Sent');
    delete from lead_posting_queue`)
  expect(await countUnposted()).toEqual([1])
  await database.migrate()
  expect(await readQueue()).toHaveLength(1)
  await database.client.query('select post_leads(array(select id from leads))')
  expect(await countUnposted()).toEqual([0])
})
