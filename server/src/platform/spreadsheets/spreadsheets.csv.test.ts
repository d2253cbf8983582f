import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCsvRows } from './spreadsheets.csv.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karvon-csv-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each([
  ['blank lines before its header', '\n\r\na;b\n1;2', 2],
  ['a byte order mark', '\uFEFFa;b\n1;2', 0],
  ['mixed line ends', 'a;b\r1;2\r\n', 0],
])('a csv with %s is read with the delimiter of its header', async (_, text, headerIndex) => {
  const path = join(folder, 'file.csv')
  await writeFile(path, text)
  const rows = []
  for await (const batch of readCsvRows(path)) rows.push(...batch)
  expect(rows).toEqual([
    [headerIndex, ['a', 'b']],
    [headerIndex + 1, ['1', '2']],
  ])
})

test('emoji and letters of several bytes are read as they are, wherever the text is split', async () => {
  const path = join(folder, 'emoji.csv')
  const names = Array.from({ length: 50 }, (_, length) => `${'x'.repeat(length)}${'👧‍👦oʻ'.repeat(100)}`)
  await writeFile(path, ['name', ...names].join('\n'))
  const rows = []
  for await (const batch of readCsvRows(path)) rows.push(...batch)
  expect(rows.slice(1).map(([, [name]]) => name)).toEqual(names)
})

test('other work runs between the batches of short rows of a csv', async () => {
  const path = join(folder, 'many.csv')
  await writeFile(path, 'a\n'.repeat(8000))
  let turn = 0
  let next = setImmediate(function count() {
    turn += 1
    next = setImmediate(count)
  })
  const turns = new Set<number>()
  for await (const batch of readCsvRows(path)) if (batch.length > 0) turns.add(turn)
  clearImmediate(next)
  expect(turns.size).toBe(8000 / 500)
})
