import { describe, expect, it } from 'vitest'
import { httpTexts } from './http.texts.ts'
import { firstOf, readList } from './list.answer.ts'

const rows = [{ id: 1 }, { id: 2 }]

describe('lists in the spellings that hosts use', () => {
  it('reads items and meta', () => {
    const meta = { total: 9, filtered_total: 4 }
    expect(readList({ items: rows, meta })).toEqual({ items: rows, total: 9, filtered: 4, meta })
  })

  it('reads total_items, in meta or beside the items', () => {
    expect(readList({ items: rows, meta: { total_items: 9 } })).toMatchObject({ total: 9, filtered: 9 })
    expect(readList({ items: rows, total_items: 9 })).toMatchObject({ total: 9, filtered: 9 })
  })

  it('reads a bare array', () => {
    expect(readList(rows)).toEqual({ items: rows, total: 2, filtered: 2, meta: {} })
  })

  it('refuses what is no list', () => {
    for (const wrong of [undefined, null, 'x', 5, {}, { items: 'x' }])
      expect(() => readList(wrong)).toThrow(httpTexts.unexpected)
  })
})

describe('a single get', () => {
  it('takes the first of a list, or the row itself', () => {
    expect(firstOf({ items: rows })).toEqual({ id: 1 })
    expect(firstOf(rows)).toEqual({ id: 1 })
    expect(firstOf({ id: 5 })).toEqual({ id: 5 })
  })

  it('is nothing when the list is empty', () => {
    for (const none of [{ items: [] }, [], undefined, null, 'x']) expect(firstOf(none)).toBeUndefined()
  })
})
