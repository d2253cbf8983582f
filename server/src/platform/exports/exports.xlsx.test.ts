import { buffer, text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import yauzl from 'yauzl'
import { readSheet } from '../../../test/exports.ts'
import { createXlsxStream } from './exports.xlsx.ts'

/** The XML of the first sheet of a workbook. */
const readSheetXml = (workbook: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(workbook, (error, zip) => {
      if (error !== null) return reject(error)
      zip.once('end', () => reject(new Error('The workbook has no sheet')))
      zip.on('entry', (entry) => {
        if (entry.fileName !== 'xl/worksheets/sheet1.xml') return
        zip.openReadStream(entry, (failure, stream) =>
          failure === null ? resolve(text(stream)) : reject(failure),
        )
      })
    })
  })

async function* rows() {
  yield [['1', '2026-11-22']]
}

test('a workbook has columns wide enough for dates and amounts, and a header row that stays in view', async () => {
  const xml = await readSheetXml(
    await buffer(createXlsxStream(['Id', 'Date'], { rows: rows(), sheetName: 'Leads' })),
  )
  expect([...xml.matchAll(/<col [^>]*width="(\d+)/g)].map(([, width]) => width)).toEqual(['18', '18'])
  expect(xml).toMatch(/<pane [^>]*ySplit="1"[^>]*state="frozen"/)
})

test('a workbook has texts that XML cannot have, or that look like an escaped character', async () => {
  async function* oddRows() {
    yield [['a\uFFFEb\uFFFFc', 'g_x0041_h', '_x000d_', 'x_']]
  }
  const workbook = await buffer(createXlsxStream(['A', 'B', 'C', 'D'], { rows: oddRows(), sheetName: 'Odd' }))
  expect(await readSheetXml(workbook)).not.toMatch(/[\uFFFE\uFFFF]/)
  expect((await readSheet(workbook))[1]).toEqual(['a\uFFFDb\uFFFDc', 'g_x0041_h', '_x000d_', 'x_'])
})
