import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testBinaries } from '../../../test/binaries.ts'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { Holder } from '../../../test/holder.ts'
import { findServerProcesses } from './embedded.orphan.ts'
import { openPool } from './pool.ts'

// Only root can act as other accounts, and only if they can read this checkout. Every other test covers the
// case of an ordinary account.
const isRoot = process.getuid?.() === 0
const ownFolder = fileURLToPath(new URL('.', import.meta.url))
const canOthersRead =
  isRoot &&
  spawnSync(process.execPath, ['-e', `process.chdir(process.argv[1])`, ownFolder], accountOptions(65_534))
    .status === 0
const hasUserNamespaces =
  spawnSync('unshare', ['--user', '--map-user=65534', 'true'], { stdio: 'ignore' }).status === 0

let parent: string
let holder: Holder | undefined

beforeEach(() => {
  parent = createTemporaryFolder()
  chmodSync(parent, 0o755)
})

afterEach(async () => {
  await holder?.stop()
  holder = undefined
  rmSync(parent, { recursive: true, force: true })
})

function accountOptions(uid: number) {
  return { uid, gid: uid, env: { ...process.env, HOME: '/', TMPDIR: '/tmp' } }
}

/** A folder that the account owns, as in its home. */
function createFolderOf(uid: number): string {
  const folder = join(parent, 'data')
  mkdirSync(folder, { mode: 0o700 })
  chownSync(folder, uid, uid)
  return folder
}

async function expectWorking(url: string): Promise<void> {
  const pool = openPool(url, { timezone: 'Asia/Tashkent' })
  await pool.query('create table if not exists kept (value int); insert into kept values (1)')
  expect((await pool.query(`select 'ТАШКЕНТ' ilike '%ташк%' as found`)).rows).toEqual([{ found: true }])
  await pool.end()
}

/** The uid of PostgreSQL, as seen from here. */
function readServerUid(folder: string): number {
  const [pid = 0] = findServerProcesses(join(folder, 'postgres', 'cluster'))
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

describe.skipIf(!canOthersRead)('As root in an open folder', () => {
  test('PostgreSQL runs as nobody, owns only its own files, and its socket is closed to others', async () => {
    const folder = join(parent, 'data')
    holder = new Holder(folder)
    const url = await holder.ready()
    await expectWorking(url)
    expect(readServerUid(folder)).toBe(65_534)
    expect(statSync(join(folder, 'postgres')).uid).toBe(65_534)
    expect(statSync(join(folder, 'postgres.password')).uid).toBe(0)
    const socket = join(new URL(url.replace('@/', '@x/')).searchParams.get('host') ?? '', '.s.PGSQL.5432')
    const connect = `require('node:net').connect(process.argv[1]).on('error', (e) => { console.log(e.code); process.exit() })`
    const { stdout } = spawnSync(process.execPath, ['-e', connect, socket], {
      ...accountOptions(12_345),
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect(stdout.trim()).toBe('EACCES')
  })

  test('files that an ordinary account made keep their owner', async () => {
    const folder = createFolderOf(65_534)
    holder = new Holder(folder, accountOptions(65_534))
    await expectWorking(await holder.ready())
    await holder.stop()
    chmodSync(folder, 0o711)
    holder = new Holder(folder)
    await expectWorking(await holder.ready())
    expect(readServerUid(folder)).toBe(65_534)
  })
})

describe.skipIf(!isRoot || !hasUserNamespaces)('As root in a closed folder', () => {
  test('PostgreSQL enters a user namespace when its folder is closed to others, and leaves it when opened', async () => {
    const folder = join(parent, 'data')
    for (const mode of [0o700, 0o755, 0o700]) {
      chmodSync(parent, mode)
      holder = new Holder(folder)
      await expectWorking(await holder.ready())
      expect(readServerUid(folder)).toBe(mode === 0o700 ? 0 : 65_534)
      void holder.killGroup()
      await expect.poll(() => findServerProcesses(join(folder, 'postgres', 'cluster'))).toEqual([])
    }
  })

  test('a start without access to the folder and without user namespaces explains what to do', async () => {
    chmodSync(parent, 0o700)
    // A PATH without unshare simulates a machine without it.
    holder = new Holder(join(parent, 'data'), { env: { ...process.env, PATH: '/nowhere' } })
    await expect(holder.ready()).rejects.toThrow(/cannot run for .* set DATABASE_URL$/)
  })
})

test.skipIf(!canOthersRead)(
  'a start as root without user namespaces lets others enter the closed data folder',
  async () => {
    const folder = join(parent, 'data')
    mkdirSync(folder, { mode: 0o700 })
    holder = new Holder(folder, { env: { ...process.env, PATH: '/nowhere' } })
    await expectWorking(await holder.ready())
    expect(readServerUid(folder)).toBe(65_534)
    expect(statSync(folder).mode & 0o777).toBe(0o701)
  },
)

describe.skipIf(!canOthersRead)('As an ordinary account', () => {
  test('PostgreSQL runs as the account that started it', async () => {
    const folder = createFolderOf(65_534)
    holder = new Holder(folder, accountOptions(65_534))
    await expectWorking(await holder.ready())
    expect(readServerUid(folder)).toBe(65_534)
    void holder.killGroup()
    await expect.poll(() => findServerProcesses(join(folder, 'postgres', 'cluster'))).toEqual([])
  })

  test.skipIf(!hasUserNamespaces)('PostgreSQL runs as an account without a name', async () => {
    const folder = createFolderOf(12_345)
    holder = new Holder(folder, accountOptions(12_345))
    await expectWorking(await holder.ready())
    expect(readServerUid(folder)).toBe(12_345)
  })

  test('a start in the folder of another account names the owner', async () => {
    const folder = join(parent, 'data')
    mkdirSync(join(folder, 'postgres'), { recursive: true })
    chmodSync(folder, 0o777)
    holder = new Holder(folder, accountOptions(65_534))
    await expect(holder.ready()).rejects.toThrow(/belongs to another user \(uid 0\).*KARVON_DATA/)
  })

  test('a start in a folder that root used before names the owner', async () => {
    const folder = join(parent, 'data')
    holder = new Holder(folder)
    await holder.ready()
    await holder.stop()
    holder = new Holder(folder, accountOptions(65_534))
    await expect(holder.ready()).rejects.toThrow(
      /data folder .* belongs to another user \(uid 0\).*KARVON_DATA/,
    )
  })

  test('a start with a folder that cannot be made says so', async () => {
    holder = new Holder('/karvon/data', accountOptions(65_534))
    await expect(holder.ready()).rejects.toThrow(/The data folder \/karvon\/data cannot be used.*KARVON_DATA/)
  })
})

describe.skipIf(!canOthersRead)('Libraries without links', () => {
  test('missing library links are made in the data folder if the package is read-only', async () => {
    const bare = join(parent, 'bare')
    copyWithoutLinks(testBinaries().folder, bare)
    const folder = createFolderOf(65_534)
    holder = new Holder(folder, {
      ...accountOptions(65_534),
      env: { ...accountOptions(65_534).env, KARVON_TEST_BINARIES: bare },
    })
    await expectWorking(await holder.ready())
    expect(statSync(join(folder, 'postgres', 'lib')).isDirectory()).toBe(true)
  })

  test('missing library links are made in the package if it is writable', async () => {
    const bare = join(parent, 'bare')
    copyWithoutLinks(testBinaries().folder, bare)
    holder = new Holder(join(parent, 'data'), { env: { ...process.env, KARVON_TEST_BINARIES: bare } })
    await expectWorking(await holder.ready())
    expect(statSync(join(bare, 'lib', 'libpq.so.5')).isFile()).toBe(true)
  })
})

function copyWithoutLinks(from: string, to: string): void {
  // Hard links save disk space. Only the symbolic links are left out.
  spawnSync('/bin/sh', [
    '-c',
    'cp -R -P "$1" "$2" && find "$2/lib" -maxdepth 1 -type l -delete',
    'sh',
    from,
    to,
  ])
}
