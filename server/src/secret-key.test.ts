import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createTemporaryFolder } from '../test/folder.ts'
import { loadKeyRing } from './secret-key.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Loads the key of a new folder twice. The second load begins some turns of the event loop after the first one. */
async function loadTwice(turns: number) {
  const dataFolder = createTemporaryFolder()
  folders.push(dataFolder)
  const load = () => loadKeyRing({ secretKey: undefined, oldSecretKeys: [], dataFolder })
  const firstLoad = load()
  for (let turn = 0; turn < turns; turn += 1) await setImmediate()
  const rings = await Promise.all([firstLoad, load()])
  return {
    keys: rings.map(({ ring }) => ring.keys.map((key) => key.toString('base64'))),
    storedKey: readFileSync(join(dataFolder, 'secret.key'), 'utf8').trim(),
    files: readdirSync(dataFolder),
  }
}

// In one process, as in containers that share the folder, both have the same process id.
test('processes that start at nearly the same moment get the same key', async () => {
  for (let turns = 0; turns < 100; turns += 1) {
    const { keys, storedKey, files } = await loadTwice(turns)
    expect(keys).toEqual([[storedKey], [storedKey]])
    expect(files).toEqual(['secret.key'])
  }
})
