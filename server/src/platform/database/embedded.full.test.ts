import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { testBinaries } from '../../../test/binaries.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { Holder } from '../../../test/holder.ts'
import { findServerProcesses } from './embedded.orphan.ts'
import { startEmbedded } from './embedded.ts'
import type { Embedded } from './embedded.ts'

let preparedFolder: string
let folder: string
let cluster: string
let running: Embedded[] = []

/** A folder with a cluster for most tests, because a new one takes longer than most tests. */
beforeAll(async () => {
  preparedFolder = createTemporaryFolder()
  await (await startEmbedded({ folder: preparedFolder, log: () => {}, binaries: testBinaries() })).stop()
})
afterAll(() => rmSync(preparedFolder, { recursive: true, force: true }))

beforeEach(() => {
  folder = createTemporaryFolder()
  cluster = join(folder, 'postgres', 'cluster')
})

afterEach(async () => {
  for (const embeddedServer of running) await embeddedServer.stop()
  running = []
  rmSync(folder, { recursive: true, force: true })
})

async function start(dataFolder = folder): Promise<Embedded> {
  const embeddedServer = await startEmbedded({ folder: dataFolder, log: () => {}, binaries: testBinaries() })
  running.push(embeddedServer)
  return embeddedServer
}

/** Copies the prepared cluster into the folder, with owners and modes. */
const copyPreparedFolder = () => execFileSync('cp', ['-a', `${preparedFolder}/.`, folder])

async function measureTime<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; milliseconds: number }> {
  const startTime = performance.now()
  return { result: await work(), milliseconds: performance.now() - startTime }
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

describe('Start and stop', () => {
  test('the embedded database keeps its data over a stop, and leaves no process', async () => {
    const { result: first, milliseconds: firstStart } = await measureTime(() => start())
    await query(first.url, 'create table kept (value int); insert into kept values (7)')
    await first.stop()
    expect(findServerProcesses(cluster)).toEqual([])
    const { result: second, milliseconds: secondStart } = await measureTime(() => start())
    // The first start also creates the cluster.
    expect(secondStart).toBeLessThan(firstStart)
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 7 }])
  })

  test('the embedded database listens only on a socket, which is closed to other accounts', async () => {
    copyPreparedFolder()
    const { url } = await start()
    const [settings] = await query<{ listen: string; fsync: string; commit: string }>(
      url,
      `select current_setting('listen_addresses') as listen, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as commit`,
    )
    expect(settings).toMatchObject({ listen: '', fsync: 'on', commit: 'on' })
    for (const secret of [join(folder, 'postgres', 'run'), cluster, join(folder, 'postgres')]) {
      expect(statSync(secret).mode & 0o777).toBe(0o700)
    }
    for (const secret of ['postgres.password', 'postgres.log', 'karvon.lock']) {
      expect(statSync(join(folder, secret)).mode & 0o777).toBe(0o600)
    }
  })

  test('the embedded database refuses a wrong password and the superuser', async () => {
    copyPreparedFolder()
    const { url } = await start()
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
    await expect(query(url.replace('//karvon:', '//postgres:'), 'select 1')).rejects.toThrow(
      'pg_hba.conf rejects',
    )
    expect(await query(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([
      { rolsuper: false },
    ])
  })

  test('a start that fails leaves no timer, and the next start succeeds', async () => {
    copyPreparedFolder()
    const set = vi.spyOn(globalThis, 'setInterval')
    const clear = vi.spyOn(globalThis, 'clearInterval')
    try {
      const settings = { shared_buffers: 'invalid' }
      const failedStart = startEmbedded({ folder, log: () => {}, binaries: testBinaries(), settings })
      await expect(failedStart).rejects.toThrow('shared_buffers')
      expect(set.mock.results).not.toEqual([])
      for (const { value } of set.mock.results) expect(clear).toHaveBeenCalledWith(value)
    } finally {
      set.mockRestore()
      clear.mockRestore()
    }
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a lost password file is replaced with a new password', async () => {
    copyPreparedFolder()
    rmSync(join(folder, 'postgres.password'))
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.each([
    ['a long path', join('x'.repeat(60), 'y'.repeat(60))],
    ['a comma in its path', 'Karvon, the desk'],
  ])(
    'a data folder with %s has its socket in another folder, which the stop removes',
    async (_what, path) => {
      const before = new Set(readdirSync(tmpdir()))
      const embeddedServer = await start(join(folder, path))
      expect(await query(embeddedServer.url, 'select 1 as one')).toEqual([{ one: 1 }])
      const socketFolders = readdirSync(tmpdir()).filter(
        (name) => !before.has(name) && /^karvon-.{6}$/.test(name),
      )
      expect(socketFolders).toHaveLength(1)
      await embeddedServer.stop()
      expect(readdirSync(tmpdir())).not.toContain(socketFolders[0])
    },
  )
})

describe('One process for one folder', () => {
  const message =
    /^Another Karvon is running on this folder \(pid \d+, .*Stop it, or set KARVON_DATA .* DATABASE_URL/

  test('a second process is refused with the id of the first, which continues', async () => {
    copyPreparedFolder()
    const { url } = await start()
    const second = new Holder(folder)
    await expect(second.ready()).rejects.toThrow(message)
    await expect(second.ready()).rejects.toThrow(`(pid ${process.pid},`)
    expect((await second.ended).code).toBe(1)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a second start in the same process is refused and does not free the folder', async () => {
    copyPreparedFolder()
    const { url } = await start()
    await expect(start()).rejects.toThrow(message)
    await expect(new Holder(folder).ready()).rejects.toThrow(message)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('one of three simultaneous starts on a new folder runs', async () => {
    const holders = [new Holder(folder), new Holder(folder), new Holder(folder)]
    const results = await Promise.allSettled(holders.map((holder) => holder.ready()))
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await Promise.all(holders.map((holder) => holder.stop()))
    expect(findServerProcesses(cluster)).toEqual([])
  })

  test('a start waits for a process that is stopping', async () => {
    copyPreparedFolder()
    const first = new Holder(folder)
    await first.ready()
    const stop = first.stop()
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
    await stop
  })
})

describe('Stale files', () => {
  test.each([
    ['a live process that is not PostgreSQL', `${process.ppid}\n`],
    ['the first process of the machine', '1\n'],
    ['a process group', '-1\n'],
    ['nothing', ''],
  ])('a start succeeds with a postmaster.pid that names %s', async (_what, content) => {
    copyPreparedFolder()
    writeFileSync(join(cluster, 'postmaster.pid'), content)
    mkdirSync(join(folder, 'postgres', 'run'), { recursive: true })
    writeFileSync(join(folder, 'postgres', 'run', '.s.PGSQL.5432.lock'), `${process.ppid}\n`)
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a start succeeds with the pid file of a process that is gone', async () => {
    copyPreparedFolder()
    writeFileSync(join(folder, 'karvon.pid'), `${process.ppid}\n`)
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

test('a data folder of another major version is refused with that reason', async () => {
  copyPreparedFolder()
  writeFileSync(join(cluster, 'PG_VERSION'), '14\n')
  await expect(start()).rejects.toThrow('made by another major version of PostgreSQL')
})
