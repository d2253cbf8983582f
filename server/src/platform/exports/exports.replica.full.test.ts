import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Session } from '../../../test/app.ts'
import { buildClusterUrl } from '../../../test/cluster.ts'
import { connectRawClient, type RawClient } from '../../../test/raw-client.ts'
import { createReplicatedApp, type ReplicatedApp } from '../../../test/replicated-app.ts'

let app: ReplicatedApp
let primary: ReplicatedApp['primary']
let replica: ReplicatedApp['replica']
let product: ReplicatedApp['product']
let admin: Session
let waitForReplay: ReplicatedApp['waitForReplay']

beforeAll(async () => {
  app = await createReplicatedApp(10)
  ;({ primary, replica, product, admin, waitForReplay } = app)
  await product.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** The statements of exports that run on the standby now. */
const countRunning = async () => {
  const text = `select count(*)::int as n from pg_stat_activity where state = 'active' and query ~ '^(declare|fetch).*export_rows'`
  return (await replica.execute<{ n: number }>(text))[0]?.n
}

function beginExport(isPaused: boolean): RawClient {
  const head = ['GET /api/admin/audit?format=csv HTTP/1.1', 'host: karvon']
  const request = [...head, `authorization: Bearer ${admin.token}`, '', ''].join('\r\n')
  return connectRawClient(product.app, request, isPaused)
}

test('an export from the standby goes on when its session is stored as used again', async () => {
  await primary.execute(
    `insert into audit_log (action, resource, new_values)
     select 'update', 'offers', jsonb_build_object('description', repeat('x', 1000)) from generate_series(1, 60000)`,
  )
  await waitForReplay()
  const client = beginExport(true)
  const text = `select 1 from pg_stat_activity where state = 'idle in transaction' and query like 'fetch % from export_rows'`
  await expect.poll(async () => (await replica.execute(text)).length).toBe(1)
  await primary.execute(`update sessions set last_used_at = now() - interval '2 minutes'`)
  await waitForReplay()
  // Longer than the time for which a request needs no session again.
  await sleep(1100)
  let tail = ''
  client.socket.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString('latin1')).slice(-1000)))
  await vi.waitUntil(() => client.isClosed() || tail.endsWith('\r\n0\r\n\r\n'), 30_000)
  expect(tail.endsWith('\r\n0\r\n\r\n')).toBe(true)
  client.socket.destroy()
  const rows = await primary.execute(
    `select 1 from sessions where last_used_at < now() - interval '1 minute'`,
  )
  expect(rows).toEqual([])
})

test('the end of the connection ends the statement of an export on the standby', async () => {
  const holder = new pg.Client(buildClusterUrl(primary.port))
  await holder.connect()
  onTestFinished(() => holder.end())
  // The standby replays the lock, so the export waits there.
  await holder.query('begin; lock table audit_log in access exclusive mode')
  await waitForReplay()
  const client = beginExport(false)
  await expect.poll(countRunning).toBe(1)
  client.socket.destroy()
  await expect.poll(countRunning, { timeout: 5000 }).toBe(0)
})
