import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSheet } from '../../../test/exports.ts'
import { escapeFormulas, unescapeFormulas, type Cell } from './exports.cells.ts'
import { createXlsxStream } from './exports.xlsx.ts'

test('no exported text starts a formula, and each can be restored', () => {
  const risky = fc
    .tuple(
      fc.string({
        unit: fc.constantFrom("'", '"', ';', '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＠', 'a'),
      }),
      fc.string(),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), risky), (text) => {
      // Excel reads a csv with semicolons: quotes at the start of a cell are its own.
      for (const cell of escapeFormulas(text).split(/[;\r\n]/)) expect(cell).not.toMatch(/^"*[=+\-@＝＋－＠]/)
      expect(escapeFormulas(text)).not.toMatch(/^[\t\r]/)
      expect(unescapeFormulas(escapeFormulas(text))).toBe(text)
    }),
  )
})

test('a harmless text is exported unchanged', () => {
  for (const text of ['', 'a=b', 'a; =1', 'x;y', ' =1', "O'zbek", "'quoted'", '1-2', 'я'])
    expect(escapeFormulas(text)).toBe(text)
})

test('rows beyond the size of a sheet continue on the next, under the same header', async () => {
  const rows = Readable.from([[[1], [2]], [[3], [4]], [[5]]] satisfies Cell[][][])
  const workbook = await buffer(
    createXlsxStream(['id'], { rows, sheetName: 'a-name-that-is-longer-than-a-sheet-may-have', maxRows: 3 }),
  )
  const sheets = await Promise.all([0, 1, 2].map((sheet) => readSheet(workbook, sheet)))
  expect(sheets).toEqual([
    [['id'], ['1'], ['2']],
    [['id'], ['3'], ['4']],
    [['id'], ['5']],
  ])
})
