import { describe, expect, it } from 'vitest'
import { readList, toListResponse } from './list.result.ts'

const readFirstRow = (response: unknown) => readList(toListResponse(response)).items[0]

const rows = [{ id: 1 }, { id: 2 }]

describe('Lists of hosts', () => {
  it('readList reads items and meta', () => {
    const meta = { total: 9, filtered_total: 4 }
    expect(readList({ items: rows, meta })).toEqual({ items: rows, total: 9, filtered: 4, meta })
  })

  it('readList reads total_items, in meta or beside the items', () => {
    expect(readList({ items: rows, meta: { total_items: 9 } })).toMatchObject({ total: 9, filtered: 9 })
    expect(readList({ items: rows, total_items: 9 })).toMatchObject({ total: 9, filtered: 9 })
  })

  it('readList reads a bare array', () => {
    expect(readList(rows)).toEqual({ items: rows, total: 2, filtered: 2, meta: {} })
  })

  it('readList pages a complete list in any spelling, and keeps a page as it is', () => {
    const allItems = Array.from({ length: 37 }, (_, index) => ({ id: index + 1 }))
    const last = { items: allItems.slice(30), total: 37, filtered: 37 }
    expect(readList(allItems, { page: 4, size: 10 })).toMatchObject(last)
    expect(readList({ items: allItems, total_items: 37 }, { page: 4, size: 10 })).toMatchObject(last)
    expect(readList({ items: rows, meta: { total: 37 } }, { page: 4, size: 10 }).items).toEqual(rows)
    expect(readList(rows, { page: 2, size: 10 }).items).toEqual([])
  })

  it('readList leaves out items that are no rows', () => {
    expect(readList({ items: [null, { id: 1 }, 5], meta: { total: 3 } }).items).toEqual([{ id: 1 }])
  })

  it('readList refuses a value that is no list', () => {
    for (const wrong of [undefined, null, 'x', 5, {}, { items: 'x' }])
      expect(() => readList(wrong)).toThrow('The server gave an unexpected answer.')
  })
})

describe('Single rows', () => {
  it('readFirstRow takes the first row of a list, or the row itself', () => {
    expect(readFirstRow({ items: rows })).toEqual({ id: 1 })
    expect(readFirstRow(rows)).toEqual({ id: 1 })
    expect(readFirstRow({ id: 5 })).toEqual({ id: 5 })
  })

  it('readFirstRow returns undefined for an empty list', () => {
    for (const emptyAnswer of [{ items: [] }, [], undefined, null, 'x'])
      expect(readFirstRow(emptyAnswer)).toBeUndefined()
  })
})
