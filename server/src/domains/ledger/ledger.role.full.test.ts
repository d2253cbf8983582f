import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBinaries } from '../../../test/binaries.ts'
import { callApi, firstAdmin, signInAdmin, testKey, type Session } from '../../../test/app.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { createUser } from '../../../test/people.ts'
import { processEnv } from '../../../test/process-env.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { openDeps, openLog } from '../../deps.ts'
import { getClusterPaths } from '../../platform/database/embedded.cluster.ts'
import { startEmbedded, type Embedded } from '../../platform/database/embedded.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { ensureFirstAdmin } from '../auth/first-admin.ts'
import { foldLedgerDeltas } from './ledger.fold.queries.ts'

const timezone = 'Asia/Tashkent'
let folder: string
let server: Embedded

/** The SQL of the section of the docs. */
const documentedSql = /## A role that cannot change the ledger[^]*?```sql\n([^]*?)```/.exec(
  readFileSync(join(import.meta.dirname, '../../../../docs/operations/databases.md'), 'utf8'),
)?.[1]

/** The address of the database for a role. */
const urlOf = (role: string) => server.url.replace(/\/\/[^@]*@/, `//${role}@`)
const start = async () => {
  server = await startEmbedded({ folder, log: () => undefined, binaries: testBinaries() })
}
const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

beforeAll(async () => {
  folder = createTemporaryFolder()
  await start()
  await server.stop()
  // A database of its own, where the superuser may connect.
  const rules = join(getClusterPaths(folder).cluster, 'pg_hba.conf')
  await writeFile(rules, (await readFile(rules, 'utf8')).replace('postgres reject', 'postgres trust'))
  await start()
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../cli.ts'), 'migrate'], {
    env: { ...processEnv, DATABASE_URL: server.url },
  })
  const superuser = await connect(urlOf('postgres'))
  await superuser.query(documentedSql ?? '')
  await superuser.end()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the product works as the documented role: it signs people in, pays, posts and folds', async () => {
  const url = urlOf('karvon_app:secret')
  expect(await migrate(url, { timezone })).toEqual([])
  const data = await mkdtemp(join(tmpdir(), 'karvon-role-'))
  const config = readConfig({ DATABASE_URL: url, KARVON_DATA: data, KARVON_LOG: 'silent' })
  const deps = await openDeps(config, { url, ring: { keys: [testKey] }, log: openLog('silent') })
  try {
    await ensureFirstAdmin(deps, firstAdmin)
    const app = await buildApp(deps)
    const admin = await signInAdmin(app)
    const buyer = await createUser(app, admin, 'buyer')
    const call = async <T>(as: Session, url: string, body?: object): Promise<T> => {
      const answer = await callApi(app, as, body === undefined ? 'GET' : 'POST', url, body)
      expect(answer.statusCode, answer.body).toBeLessThan(300)
      return answer.json<T>()
    }
    const people = await call<Page<{ id: number }>>(admin, '/api/admin/users/?username=buyer')
    const account_id = `person-${people.items[0]?.id}-UZS`
    const entry = { account_id, amount: -100.5, reason: 'Opening balance' }
    await call(admin, '/api/admin/ledger/adjustments/', entry)
    const request = { currency: 'UZS', amount: 60, details: '8600 1234 5678 9012' }
    const { id } = await call<Withdrawal>(buyer, '/api/user/withdrawals/', request)
    await call(admin, `/api/admin/withdrawals/${id}/approve/`, {})
    const payment = { paid_on: '2026-01-31', reference: 'PAY-1' }
    await call(admin, `/api/admin/withdrawals/${id}/pay/`, payment)
    await foldLedgerDeltas(deps.db)
    expect(await call(buyer, '/api/user/balance')).toMatchObject({ earned: 100.5, available: 40.5, paid: 60 })
    await app.close()
  } finally {
    await deps.close()
    await rm(data, { recursive: true, force: true })
  }
})

const tables = ['ledger_entries', 'ledger_adjustments', 'audit_log']

test('the documented role creates and drops partitions of logs, and finds no own tables in their functions', async () => {
  const owner = await connect(server.url)
  const client = await connect(urlOf('karvon_app:secret'))
  try {
    for (const [log, unit] of [
      ['audit_log', 'year'],
      ['postbacks', 'month'],
    ]) {
      await owner.query(`drop table ${log}_rest`)
      await owner.query(`select add_log_partition('${log}', '${log}_rest', max(ends_at), 'infinity')
        from log_partitions where log = '${log}'`)
      await client.query('create temporary view log_partitions as select 1 / 0 as log')
      expect(
        (await client.query(`select create_log_partitions('${log}', '${unit}', 6) as created`)).rows[0],
      ).not.toEqual({ created: 0 })
      await client.query('drop view pg_temp.log_partitions')
    }
    await owner.query(
      `insert into postbacks (at, method, params, outcome) values ('2020-01-01', 'GET', '{}', 'created')`,
    )
    const result = await client.query(`select drop_log_partitions('postbacks', 90) as dropped`)
    expect(result.rows).toEqual([{ dropped: 0 }])
    const { rows } = await owner.query(`select distinct a.grantee::regrole::text as role
      from log_partitions p join pg_class c on c.relname = p.name cross join aclexplode(c.relacl) a`)
    expect(rows).toEqual([{ role: 'karvon' }])
  } finally {
    await client.end()
    await owner.end()
  }
})

test('the database refuses the documented role every change of what is posted', async () => {
  const client = await connect(urlOf('karvon_app:secret'))
  const refusedStatements = [
    ...tables.flatMap((table) => [
      `update ${table} set id = default`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
      `drop table ${table} cascade`,
      `alter table ${table} disable trigger user`,
    ]),
    'delete from audit_log_before',
    'select from audit_log_rest',
    `select drop_log_partitions('audit_log', 1)`,
    `select add_log_partition('audit_log', 'audit_log_own', '-infinity', 'infinity')`,
    'update schema_migrations set sha256 = name',
    'set session_replication_role = replica',
  ]
  try {
    for (const text of refusedStatements)
      await expect(client.query(text), text).rejects.toMatchObject({ code: '42501' })
  } finally {
    await client.end()
  }
})

test('the database refuses the owner of the tables every change of entries, with any grants', async () => {
  const owner = await connect(server.url)
  try {
    const { rows } = await owner.query('select count(*)::int as entries from ledger_entries')
    expect(rows).toEqual([{ entries: 4 }])
    for (const text of ['update ledger_entries set amount = 1', 'delete from ledger_entries']) {
      await expect(owner.query(text), text).rejects.toMatchObject({ code: '42501' })
      await owner.query('begin')
      await owner.query('grant all on ledger_entries to current_user')
      await expect(owner.query(text), text).rejects.toThrow(/never changed or deleted/)
      await owner.query('rollback')
    }
  } finally {
    await owner.end()
  }
})
