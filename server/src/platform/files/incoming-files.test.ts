import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, expect, test } from 'vitest'
import { openIncomingFile, sweepIncomingFiles } from './incoming-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'karvon-incoming-'))
afterAll(() => rmSync(folder, { recursive: true }))

const setOld = (path: string) => utimes(path, new Date(0), new Date(0))

test('a sweep removes the old files of killed processes, and renews those of requests of its own process', async () => {
  {
    await using file = await openIncomingFile(folder)
    await writeFile(file.path, 'own')
    await setOld(file.path)
    const names = ['killed', 'other process'].map((name) => join(folder, 'incoming', name))
    const [killed = '', other = ''] = names
    for (const path of names) await writeFile(path, 'x')
    await setOld(killed)
    await sweepIncomingFiles(folder)
    expect([existsSync(killed), existsSync(other), existsSync(file.path)]).toEqual([false, true, true])
    // So the sweep of another process keeps the file too.
    expect((await stat(file.path)).mtimeMs).toBeGreaterThan((await stat(other)).mtimeMs - 60_000)
  }
  expect(await readdir(join(folder, 'incoming'))).toEqual(['other process'])
  // At the start of the only process of a folder.
  await sweepIncomingFiles(folder, 0)
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

test('a process that ends in the middle of a request removes its files', async () => {
  const program = join(folder, 'program.ts')
  const module = join(import.meta.dirname, 'incoming-files.ts')
  await writeFile(
    program,
    `import { writeFileSync } from 'node:fs'
    import { openIncomingFile } from '${module}'
    const { path } = await openIncomingFile(process.argv[2])
    writeFileSync(path, 'half')
    console.log('written')
    process.exit(1)`,
  )
  const data = join(folder, 'data')
  const child = new NodeProcess(program, { args: [data] })
  await child.waitFor(/written/)
  expect((await child.ended).code).toBe(1)
  expect(await readdir(join(data, 'incoming'))).toEqual([])
})
