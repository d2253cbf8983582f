import { openDb, type openPool } from '@karvon/server/platform/database/pool.ts'
import { foldDeltas } from '@karvon/server/domains/reports/reports.fold.queries.ts'
import { seedDefaultMappings } from '@karvon/server/domains/leads/leads.default-mappings.ts'
import { referenceStatements, leadsSql, shape, shares } from './leads.generate.queries.ts'
import { currenciesSql, dayChangesSql, deltasSql, statusDeltasSql } from './leads.totals.queries.ts'

type Pool = ReturnType<typeof openPool>

const chunkSize = 500_000

/** Fills an empty, migrated database with references and leads. The result is the same as after an ingest. */
export async function fillLeads(pool: Pool, leads: number, log: (message: string) => void): Promise<void> {
  for (const text of referenceStatements) await pool.query(text)
  for (let source = 1; source <= shape.sources; source += 1) await seedDefaultMappings(openDb(pool), source)
  await pool.query('analyze streams, offers')
  const statusRows = await readStatuses(pool)
  const cumulativeShares = shares.reduce<number[]>(
    (sums, [, share]) => [...sums, (sums.at(-1) ?? 0) + share],
    [],
  )
  const restoreTexts = await dropIndexes(pool)
  for (let from = 1; from <= leads; from += chunkSize) {
    const to = Math.min(from + chunkSize - 1, leads)
    await pool.query(leadsSql, [
      from,
      to,
      leads,
      statusRows.map(({ sourceStatus }) => sourceStatus),
      statusRows.map(({ id }) => id),
      cumulativeShares,
    ])
    if (to % (chunkSize * 4) === 0 || to === leads) log(`  ${to.toLocaleString('en')} leads`)
  }
  log('  indexes')
  for (const text of restoreTexts) await pool.query(text)
  log('  totals')
  await pool.query(deltasSql)
  await pool.query(statusDeltasSql)
  while ((await foldDeltas(openDb(pool))) > 0);
  await pool.query(dayChangesSql)
  await pool.query(currenciesSql)
  await pool.query(`update row_counts set rows = $1 where table_name = 'leads' and slot = 0`, [leads])
  log('  vacuum')
  await pool.query('vacuum (freeze, analyze)')
}

/** The status that the product itself maps each source status to. */
async function readStatuses(pool: Pool): Promise<{ sourceStatus: string; id: number | null }[]> {
  const { rows } = await pool.query<{ source_name: string; status_id: number }>(
    'select source_name, status_id from source_statuses where source_id = 1',
  )
  const statusIds = new Map(rows.map((row) => [row.source_name, row.status_id]))
  return shares.map(([sourceStatus]) => ({ sourceStatus, id: statusIds.get(sourceStatus) ?? null }))
}

/** Removes indexes, constraints and triggers of the leads. Returns the statements that restore them. */
async function dropIndexes(pool: Pool): Promise<string[]> {
  const readTexts = async (text: string) =>
    (await pool.query<{ text: string }>(text)).rows.map((row) => row.text)
  const constraints = `from pg_constraint where conrelid = 'leads'::regclass and contype in ('f', 'u')`
  const indexes = `from pg_indexes i where tablename = 'leads'
    and not exists (select from pg_constraint c where c.conname = i.indexname)`
  const restoreTexts = [
    ...(await readTexts(`select indexdef as text ${indexes}`)),
    ...(await readTexts(
      `select format('alter table leads add constraint %I %s', conname, pg_get_constraintdef(oid)) as text ${constraints}`,
    )),
    'alter table leads enable trigger user',
  ]
  for (const text of [
    ...(await readTexts(`select format('drop index %I', indexname) as text ${indexes}`)),
    ...(await readTexts(
      `select format('alter table leads drop constraint %I', conname) as text ${constraints}`,
    )),
    'alter table leads disable trigger user',
  ])
    await pool.query(text)
  return restoreTexts
}
