import { describe, expect, it } from 'vitest'
import { applyTableChange, readListSearch, readTableState, type ListSearch } from './table-state.ts'

const spec = { pageSize: 10, filters: ['source_id'] }

describe('State of a list in the URL', () => {
  it('a list starts with the defaults', () => {
    expect(readTableState({}, spec)).toEqual({ page: 1, size: 10, sort: null, search: '', filters: {} })
  })

  it('a default filter is not in the URL, and a removed one is', () => {
    const open = { ...spec, filters: ['status'], defaults: { status: 'open' } }
    const readFilters = (search: ListSearch) => readTableState(search, open).filters
    const choose = (search: ListSearch, status: string) =>
      applyTableChange(search, { filters: { status } }, open)
    expect(readFilters({})).toEqual({ status: 'open' })
    expect(readFilters({ status: 'resolved' })).toEqual({ status: 'resolved' })
    expect(choose({}, '')).toEqual({ status: 'any' })
    expect(readFilters({ status: 'any' })).toEqual({})
    expect(choose({ status: 'any' }, 'open')).toEqual({})
    expect(choose({ status: 'any' }, 'resolved')).toEqual({ status: 'resolved' })
    expect(applyTableChange({ status: 'any' }, { search: 'A-1' }, open)).toEqual({
      status: 'any',
      search: 'A-1',
    })
  })

  it('invalid days and a period that ends before it begins are dropped', () => {
    const days = (from: string, to: string) => readListSearch({ from, to })
    expect(days('2026-11-01', '2026-11-21')).toEqual({ from: '2026-11-01', to: '2026-11-21' })
    expect(days('2026-02-31', '2026-11-21')).toEqual({ to: '2026-11-21' })
    expect(days('2026-11-01', '21.11.2026')).toEqual({ from: '2026-11-01' })
    expect(days('2026-11-21', '2026-11-01')).toEqual({})
    // The router merges the result over the URL's own values.
    expect(Object.hasOwn(days('soon', '2026-11-01'), 'from')).toBe(true)
  })

  it("a link's values are read, and malformed ones are dropped", () => {
    const search = readListSearch({ page: '3', size: '25', sort: '-price', search: 'соат', source_id: '7' })
    expect(readTableState(search, spec)).toEqual({
      page: 3,
      size: 25,
      sort: { key: 'price', descending: true },
      search: 'соат',
      filters: { source_id: '7' },
    })
    for (const wrong of ['0', '-1', '1.5', 'x', '', '1e99']) {
      expect(readListSearch({ page: wrong, size: wrong })).toEqual({})
    }
    expect(readListSearch({ size: '201' })).toEqual({})
  })

  it('a changed filter, search, sort or page size returns to page 1, and nothing else does', () => {
    const at = { tab: 'roles', page: 4, search: 'a' }
    expect(applyTableChange(at, { filters: { source_id: '2' } }, spec)).toEqual({
      tab: 'roles',
      search: 'a',
      source_id: '2',
    })
    expect(applyTableChange(at, { search: 'b' }, spec)).toEqual({ tab: 'roles', search: 'b' })
    expect(applyTableChange(at, { sort: { key: 'name', descending: true } }, spec)).toEqual({
      tab: 'roles',
      search: 'a',
      sort: '-name',
    })
    expect(applyTableChange(at, { size: 50 }, spec)).toEqual({ tab: 'roles', search: 'a', size: 50 })
    expect(applyTableChange(at, { page: 5 }, spec)).toEqual({ tab: 'roles', page: 5, search: 'a' })
  })

  it('default values are not written to the URL', () => {
    const at = { page: 2, size: 50, sort: 'name', search: 'a', source_id: '1' }
    expect(
      applyTableChange(at, { page: 1, size: 10, sort: null, search: '', filters: { source_id: '' } }, spec),
    ).toEqual({})
  })
})
