import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('a folder is made with its parents, and a second time nothing happens', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'karvon-folder-'))
  const folder = join(parent, 'a', 'b')
  await makeFolder(folder, 0o700)
  await makeFolder(folder, 0o700)
  const { mode } = await stat(folder)
  expect(mode & 0o777).toBe(0o700)
  await rm(parent, { recursive: true })
})

test('a file in place of the folder is an error with its path', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'karvon-folder-'))
  const file = join(parent, 'file')
  await writeFile(file, '')
  await expect(makeFolder(file, 0o700)).rejects.toThrow(`${file} is a file, not a folder`)
  await rm(parent, { recursive: true })
})

test.runIf(process.platform === 'linux')('a folder below /proc is refused', async () => {
  await expect(makeFolder('/proc/karvon/data', 0o700)).rejects.toThrow('ENOENT')
})
