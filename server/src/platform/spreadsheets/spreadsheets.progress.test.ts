import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { writeXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/folder.ts'
import { createXlsxStream } from '../exports/exports.xlsx.ts'
import { ImportProgress } from './spreadsheets.progress.ts'
import { readSheetRows } from './spreadsheets.read.ts'

const count = 2400
const rows = Array.from({ length: count }, (_, n) => [n, `строка ${n}`])

/** How far the reading of a file was, of 1, each time that rows came. */
async function parts(name: string, content: Uint8Array | string): Promise<number[]> {
  const path = join(temporaryFolder(), name)
  await writeFile(path, content)
  const { size } = await stat(path)
  const progress = new ImportProgress(size)
  const seen: number[] = []
  for await (const piece of readSheetRows({
    path,
    extension: name.endsWith('csv') ? 'csv' : 'xlsx',
    progress,
  }))
    if (piece.length > 0) seen.push(progress.bytesRead / size)
  return seen
}

test('a workbook that says how many rows it has is followed by its rows', async () => {
  const seen = await parts('said.xlsx', await writeXlsx({ sheets: [{ name: 'a', rows }] }))
  expect(seen.map((part) => part.toFixed(1))).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8'])
})

test('one that does not is read all the same', async () => {
  const pieces = (async function* () {
    yield rows
  })()
  const seen = await parts('unsaid.xlsx', await buffer(createXlsxStream(['n', 'text'], pieces, 'a')))
  expect(seen).toEqual([0, 0, 0, 0, 0])
})

test('a text file is followed by its bytes', async () => {
  const line = `${'x'.repeat(1000)},1\n`
  const seen = await parts('a.csv', line.repeat(count))
  expect(seen.length).toBe(5)
  for (const [n, part] of seen.entries()) expect(Math.abs(part - (n + 1) / 5)).toBeLessThan(0.2)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
})
