import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const main = join(import.meta.dirname, 'main.ts')
const account = 'daemon'
const uid = Number(spawnSync('id', ['-u', account], { encoding: 'utf8' }).stdout)
const isRoot = process.getuid?.() === 0
/** Below a folder of root alone, such as its home, no other account reads the program. */
const reachesProgram = isRoot && spawnSync('test', ['-r', main], { uid, gid: uid }).status === 0

let folder: string
let child: ChildProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karvon-run-as-'))
  // What the account must pass through on its way.
  spawnSync('chmod', ['711', folder])
})
afterEach(async () => {
  if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit')
  await rm(folder, { recursive: true, force: true })
})

/** Starts the product as root with a built-in database; resolves to what it printed until it was ready or ended. */
async function start(name: string): Promise<string> {
  child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      KARVON_DATA: join(folder, 'data'),
      KARVON_DEMO: 'off',
      KARVON_RUN_AS: name,
      PORT: '0',
      HOST: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await expect.poll(() => printed.includes('Ctrl-C stops it.') || child.exitCode !== null).toBe(true)
  return printed
}

describe.runIf(reachesProgram)('started as root with KARVON_RUN_AS', () => {
  test('Karvon and its database run as the account, which owns the data folder', async () => {
    const printed = await start(account)
    expect(printed).toContain('Ctrl-C stops it.')
    expect(printed).not.toContain('Karvon runs as root')
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    expect(/^Uid:\s+(.*)$/m.exec(status)?.[1]?.split('\t')).toEqual(Array(4).fill(String(uid)))
    for (const name of ['data', 'data/postgres', 'data/secret.key'])
      expect(statSync(join(folder, name)).uid, name).toBe(uid)
  })

  test('a data folder that root or nobody had goes to the account', async () => {
    await start('nobody')
    child.kill('SIGTERM')
    await once(child, 'exit')
    await start(account)
    expect(statSync(join(folder, 'data/postgres')).uid).toBe(uid)
    expect(child.exitCode).toBeNull()
  })
})

describe.runIf(isRoot)('an account that cannot be used', () => {
  test.each(['root', 'no-such-account'])('%s is refused with what to do', async (name) => {
    const printed = await start(name)
    expect(child.exitCode).toBe(1)
    expect(printed).toContain('KARVON_RUN_AS')
    expect(printed).toContain('useradd')
  })
})
