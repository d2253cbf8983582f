import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFolderStore, type FolderStore } from './file-store.folder.ts'

let folder: string
let store: FolderStore

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karvon-store-'))
  store = openFolderStore(folder)
})
afterAll(() => rm(folder, { recursive: true }))

async function storeText(content: string): Promise<string> {
  const path = join(folder, 'incoming')
  const sha256 = hash('sha256', content)
  await writeFile(path, content)
  await store.store(path, sha256)
  return sha256
}

test('a file that is removed after a reader opened it is still read to its end', async () => {
  const sha256 = await storeText('orders')
  const file = await store.read(sha256)
  rmSync(store.getPath(sha256))
  expect(file?.size).toBe(6)
  expect(file && (await text(file.stream))).toBe('orders')
})

test('a missing file is null', async () => {
  expect(await store.read(hash('sha256', 'missing'))).toBeNull()
})
