import { openDb, type openPool } from '@karvon/server/platform/database/pool.ts'
import { foldDeltas } from '@karvon/server/domains/reports/reports.fold.ts'
import { seedDefaultMappings } from '@karvon/server/domains/leads/leads.default-mappings.ts'
import { deskTexts, leadsText, shape, shares } from './leads.generate.queries.ts'
import { deltasText } from './leads.totals.queries.ts'

type Pool = ReturnType<typeof openPool>

const chunk = 500_000

/** Fills an empty, migrated database with the desk and its leads, and leaves it as if all had come in by the intake. */
export async function fillLeads(pool: Pool, leads: number, say: (message: string) => void): Promise<void> {
  for (const text of deskTexts) await pool.query(text)
  for (let source = 1; source <= shape.sources; source += 1) await seedDefaultMappings(openDb(pool), source)
  await pool.query('analyze streams, offers')
  const words = await statuses(pool)
  const bounds = shares.reduce<number[]>((sums, [, share]) => [...sums, (sums.at(-1) ?? 0) + share], [])
  const restore = await strip(pool)
  for (let from = 1; from <= leads; from += chunk) {
    const to = Math.min(from + chunk - 1, leads)
    await pool.query(leadsText, [
      from,
      to,
      leads,
      words.map(({ word }) => word),
      words.map(({ id }) => id),
      bounds,
    ])
    if (to % (chunk * 4) === 0 || to === leads) say(`  ${to.toLocaleString('en')} leads`)
  }
  say('  indexes')
  for (const text of restore) await pool.query(text)
  say('  totals')
  await pool.query(deltasText)
  while ((await foldDeltas(openDb(pool))) > 0);
  await pool.query(`update row_counts set rows = $1 where table_name = 'leads' and slot = 0`, [leads])
  say('  vacuum')
  await pool.query('vacuum (freeze, analyze)')
}

/** The status that the product itself maps each word to. */
async function statuses(pool: Pool): Promise<{ word: string; id: number | null }[]> {
  const { rows } = await pool.query<{ source_name: string; status_id: number }>(
    'select source_name, status_id from source_statuses where source_id = 1',
  )
  const mapped = new Map(rows.map((row) => [row.source_name, row.status_id]))
  return shares.map(([word]) => ({ word, id: mapped.get(word) ?? null }))
}

/** Takes indexes, constraints and triggers off the leads; answers the statements that put them back. */
async function strip(pool: Pool): Promise<string[]> {
  const texts = async (text: string) => (await pool.query<{ text: string }>(text)).rows.map((row) => row.text)
  const constraints = `from pg_constraint where conrelid = 'leads'::regclass and contype in ('f', 'u')`
  const indexes = `from pg_indexes i where tablename = 'leads'
    and not exists (select from pg_constraint c where c.conname = i.indexname)`
  const restore = [
    ...(await texts(`select indexdef as text ${indexes}`)),
    ...(await texts(
      `select format('alter table leads add constraint %I %s', conname, pg_get_constraintdef(oid)) as text ${constraints}`,
    )),
    'alter table leads enable trigger user',
  ]
  for (const text of [
    ...(await texts(`select format('drop index %I', indexname) as text ${indexes}`)),
    ...(await texts(`select format('alter table leads drop constraint %I', conname) as text ${constraints}`)),
    'alter table leads disable trigger user',
  ])
    await pool.query(text)
  return restore
}
