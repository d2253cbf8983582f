import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const main = join(import.meta.dirname, 'main.ts')
const account = 'daemon'
const uid = Number(spawnSync('id', ['-u', account], { encoding: 'utf8' }).stdout)
const isRoot = process.getuid?.() === 0
/** Below a folder of root alone, such as its home, no other account reads the program. */
const reachesProgram = isRoot && spawnSync('test', ['-r', main], { uid, gid: uid }).status === 0

let folder: string
let karvon: NodeProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karvon-run-as-'))
  // Folders that the account must be able to enter.
  spawnSync('chmod', ['711', folder])
})
afterEach(async () => {
  await karvon.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the product as root with an embedded database; resolves to its output until it is ready or ended. */
async function start(name: string): Promise<string> {
  karvon = new NodeProcess(main, {
    env: {
      PATH: process.env.PATH,
      KARVON_DATA: join(folder, 'data'),
      KARVON_DEMO: 'off',
      KARVON_RUN_AS: name,
      PORT: '0',
      HOST: '127.0.0.1',
    },
  })
  await karvon.waitFor(/Ctrl-C stops it\./).catch(() => undefined)
  return karvon.output
}

describe.runIf(reachesProgram)('Start as root with KARVON_RUN_AS', () => {
  test('Karvon and its database run as the account, which owns the data folder', async () => {
    const printedText = await start(account)
    expect(printedText).toContain('Ctrl-C stops it.')
    expect(printedText).not.toContain('Karvon runs as root')
    const status = readFileSync(`/proc/${karvon.pid}/status`, 'utf8')
    expect(/^Uid:\s+(.*)$/m.exec(status)?.[1]?.split('\t')).toEqual(Array(4).fill(String(uid)))
    for (const name of ['data', 'data/postgres', 'data/secret.key'])
      expect(statSync(join(folder, name)).uid, name).toBe(uid)
  })

  test('the data folder of root or nobody is given to the account', async () => {
    await start('nobody')
    await karvon.stop()
    await start(account)
    expect(statSync(join(folder, 'data/postgres')).uid).toBe(uid)
    expect(karvon.end).toBeNull()
  })
})

describe.runIf(isRoot)('Unusable accounts', () => {
  test.each(['root', 'no-such-account'])('the account %s is refused with the remedy', async (name) => {
    const printedText = await start(name)
    expect(karvon.end?.code).toBe(1)
    expect(printedText).toContain('KARVON_RUN_AS')
    expect(printedText).toContain('useradd')
  })
})
