import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killProcesses } from '@karvon/testkit/kill-processes.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testBinaries } from '../../../test/binaries.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { Holder } from '../../../test/holder.ts'
import { findServerProcesses } from './embedded.orphan.ts'
import { startEmbedded } from './embedded.ts'
import { openPool } from './pool.ts'

let folder: string
let cluster: string
let holders: Holder[] = []

beforeEach(() => {
  folder = createTemporaryFolder()
  cluster = join(folder, 'postgres', 'cluster')
})

afterEach(async () => {
  await Promise.all(holders.map((holder) => holder.stop()))
  holders = []
  killProcesses(findServerProcesses(cluster))
  rmSync(folder, { recursive: true, force: true })
})

function startHolder(): Holder {
  const holder = new Holder(folder)
  holders.push(holder)
  return holder
}

async function readValues(url: string): Promise<number[]> {
  const pool = openPool(url, { timezone: 'Asia/Tashkent' })
  const result = await pool.query<{ value: number }>('select value from kept order by value')
  await pool.end()
  return result.rows.map((row) => row.value)
}

/** Writes rows one by one until the connection is lost. Returns the last acknowledged one. */
async function writeUntilLost(
  url: string,
  from: number,
  onWritten: (written: number) => void,
): Promise<number> {
  const pool = openPool(url, { timezone: 'Asia/Tashkent', max: 1 })
  await pool.query('create table if not exists kept (value int primary key)')
  let writtenCount = from
  try {
    for (;;) {
      await pool.query('insert into kept values ($1)', [writtenCount + 1])
      writtenCount += 1
      onWritten(writtenCount - from)
    }
  } catch {
    await pool.end()
    return writtenCount
  }
}

test('kill -9 of the process group leaves no PostgreSQL process, and every acknowledged row is stored', async () => {
  let writtenCount = 0
  for (let round = 0; round < 3; round += 1) {
    const holder = startHolder()
    const url = await holder.ready()
    writtenCount = await writeUntilLost(url, writtenCount, (count) => count === 20 && void holder.killGroup())
    await expect.poll(() => findServerProcesses(cluster)).toEqual([])
  }
  const storedValues = await readValues(await startHolder().ready())
  // A row may be stored without its acknowledgement. No row may be missing or twice.
  expect(storedValues.slice(0, writtenCount)).toEqual(
    Array.from({ length: writtenCount }, (_, index) => index + 1),
  )
  expect(storedValues.length - writtenCount).toBeLessThanOrEqual(1)
})

test('the database recovers after a kill of PostgreSQL, its watchdog and Node at once', async () => {
  const holder = startHolder()
  const url = await holder.ready()
  const writtenCount = await writeUntilLost(url, 0, (count) => {
    if (count !== 20) return
    const server = findServerProcesses(cluster)
    const watchdog = findWatchdog(cluster)
    void holder.killGroup()
    killProcesses([...watchdog, ...server])
  })
  const storedValues = await readValues(await startHolder().ready())
  expect(storedValues.slice(0, writtenCount)).toEqual(
    Array.from({ length: writtenCount }, (_, index) => index + 1),
  )
})

test('a PostgreSQL without its watchdog is stopped by the next start', async () => {
  const holder = startHolder()
  await holder.ready()
  const orphans = findServerProcesses(cluster)
  // The holder must die before the watchdog, or it starts the server again.
  process.kill(holder.pid, 'SIGSTOP')
  killProcesses(findWatchdog(cluster))
  await holder.killGroup()
  await sleep(1000)
  expect(findServerProcesses(cluster).length).toBeGreaterThan(0)
  const next = startHolder()
  await next.ready()
  expect(next.output).toContain('left behind by a killed Karvon')
  expect(findServerProcesses(cluster).filter((pid) => orphans.includes(pid))).toEqual([])
})

test('kill -9 at any moment of the first start leaves a usable folder', async () => {
  for (const delay of [80, 250, 400, 550, 700, 900]) {
    const holder = startHolder()
    await sleep(delay)
    await holder.killGroup()
  }
  const last = startHolder()
  const pool = openPool(await last.ready(), { timezone: 'Asia/Tashkent' })
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  expect(readdirSync(join(folder, 'postgres')).filter((name) => name.startsWith('new-'))).toEqual([])
})

test('a PostgreSQL that dies is started again at its address, and pools reconnect', async () => {
  const messages: string[] = []
  const embeddedServer = await startEmbedded({
    folder,
    log: (message) => messages.push(message),
    binaries: testBinaries(),
  })
  const pool = openPool(embeddedServer.url, { timezone: 'Asia/Tashkent' })
  try {
    await pool.query('create table kept (value int); insert into kept values (1)')
    process.kill(embeddedServer.pid(), 'SIGKILL')
    await expect.poll(() => messages.join()).toContain('ended unexpectedly')
    await expect.poll(() => readValues(embeddedServer.url).catch(String)).toEqual([1])
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
    await embeddedServer.stop()
  }
  expect(findServerProcesses(cluster)).toEqual([])
})

/** Pids of the shell that started PostgreSQL and of its part that waits for the end of Node. */
function findWatchdog(path: string): number[] {
  const server = Number.parseInt(readFileSync(join(path, 'postmaster.pid'), 'utf8'), 10)
  const status = readFileSync(`/proc/${server}/status`, 'utf8')
  const shell = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1])
  const parts = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ').map(Number)
  const pids = [shell, ...parts.filter((pid) => pid !== server)]
  if (pids.length !== 2 || pids.some((pid) => !(pid > 1))) throw new Error('PostgreSQL has no watchdog')
  return pids
}
