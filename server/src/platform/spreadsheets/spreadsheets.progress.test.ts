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
async function readRatios(name: string, content: Uint8Array | string): Promise<number[]> {
  const path = join(createTemporaryFolder(), name)
  await writeFile(path, content)
  const { size } = await stat(path)
  const progress = new ImportProgress(size)
  const ratios: number[] = []
  for await (const batch of readSheetRows({
    path,
    extension: name.endsWith('csv') ? 'csv' : 'xlsx',
    progress,
  }))
    if (batch.length > 0) ratios.push(progress.bytesRead / size)
  return ratios
}

test('the progress of a workbook with a row count is measured in rows', async () => {
  const ratios = await readRatios('said.xlsx', await writeXlsx({ sheets: [{ name: 'a', rows }] }))
  expect(ratios.map((ratio) => ratio.toFixed(1))).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8'])
})

test('a workbook without a row count is read without progress', async () => {
  const batches = (async function* () {
    yield rows
  })()
  const ratios = await readRatios(
    'unsaid.xlsx',
    await buffer(createXlsxStream(['n', 'text'], { rows: batches, sheetName: 'a' })),
  )
  expect(ratios).toEqual([0, 0, 0, 0, 0])
})

test('the progress of a csv file is measured in bytes', async () => {
  const line = `${'x'.repeat(1000)},1\n`
  const ratios = await readRatios('a.csv', line.repeat(count))
  expect(ratios.length).toBe(5)
  for (const [n, ratio] of ratios.entries()) expect(Math.abs(ratio - (n + 1) / 5)).toBeLessThan(0.2)
  expect(ratios).toEqual(ratios.toSorted((a, b) => a - b))
})
