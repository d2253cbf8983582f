import { expect, test } from 'vitest'
import { chooseColumns, chooseTableColumns } from './column.ts'

const columns = ['id', 'name', 'status'].map((key) => ({ key, header: key.toUpperCase() }))
const choose = (choice: string | undefined) => chooseColumns(columns, choice).map(({ key }) => key)

test('columns are shown in the chosen order, and all of them without a choice', () => {
  expect(choose('status,id')).toEqual(['status', 'id'])
  expect(choose(undefined)).toEqual(['id', 'name', 'status'])
})

test('keys of columns that do not exist, and repeated ones, are ignored', () => {
  expect(choose('constructor,status,__proto__,status')).toEqual(['status'])
  for (const unknownKeys of ['', ',', 'nothing'])
    expect(choose(unknownKeys)).toEqual(['id', 'name', 'status'])
})

test('a phone shows a chosen column that it hides without a choice', () => {
  const table = columns.map((column) => ({ ...column, cell: () => '', phone: 'hidden' as const }))
  expect(chooseTableColumns(table, 'name').map(({ phone }) => phone)).toEqual(['line'])
  expect(chooseTableColumns(table, undefined)).toBe(table)
})
