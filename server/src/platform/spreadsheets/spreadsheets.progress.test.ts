import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { writeXlsx } from 'hucre'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../test/folder.ts'
import { createXlsxStream } from '../exports/exports.xlsx.ts'
import { ImportProgress } from './spreadsheets.progress.ts'
import { readSheetRows } from './spreadsheets.read.ts'

const count = 2400
const rows = Array.from({ length: count }, (_, n) => [n, `строка ${n}`])

/** The progress of the reading, from 0 to 1, each time rows arrive. */
async function parts(name: string, content: Uint8Array | string): Promise<number[]> {
  const path = join(createTemporaryFolder(), name)
  await writeFile(path, content)
  const { size } = await stat(path)
  const progress = new ImportProgress(size)
  const ratios: number[] = []
  for await (const piece of readSheetRows({
    path,
    extension: name.endsWith('csv') ? 'csv' : 'xlsx',
    progress,
  }))
    if (piece.length > 0) ratios.push(progress.bytesRead / size)
  return ratios
}

test('the progress of a workbook with a row count is measured in rows', async () => {
  const ratios = await parts('said.xlsx', await writeXlsx({ sheets: [{ name: 'a', rows }] }))
  expect(ratios.map((part) => part.toFixed(1))).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8'])
})

test('a workbook without a row count is read without progress', async () => {
  const pieces = (async function* () {
    yield rows
  })()
  const ratios = await parts(
    'unsaid.xlsx',
    await buffer(createXlsxStream(['n', 'text'], { rows: pieces, sheetName: 'a' })),
  )
  expect(ratios).toEqual([0, 0, 0, 0, 0])
})

test('the progress of a csv file is measured in bytes', async () => {
  const line = `${'x'.repeat(1000)},1\n`
  const ratios = await parts('a.csv', line.repeat(count))
  expect(ratios.length).toBe(5)
  for (const [n, part] of ratios.entries()) expect(Math.abs(part - (n + 1) / 5)).toBeLessThan(0.2)
  expect(ratios).toEqual(ratios.toSorted((a, b) => a - b))
})
