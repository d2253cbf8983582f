import { describe, expect, it } from 'vitest'
import {
  applyTableChange,
  getPeriodFilters,
  readListSearch,
  readTableState,
  type ListSearch,
} from './table-state.ts'

const today = '2026-11-24'
const spec = { pageSize: 10, filters: ['source_id'] }

describe('State of a list in the URL', () => {
  it('the state of a list starts with the defaults', () => {
    expect(readTableState({}, spec, today)).toEqual({
      page: 1,
      size: 10,
      sort: null,
      search: '',
      filters: {},
    })
  })

  it('a default filter is not in the URL, and a removed one is', () => {
    const open = { ...spec, filters: ['status'], defaults: { status: 'open' } }
    const readFilters = (search: ListSearch) => readTableState(search, open, today).filters
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

  it('the values of a list are read from its URL, and malformed ones are dropped', () => {
    const search = readListSearch({ page: '3', size: '25', sort: '-price', search: 'соат', source_id: '7' })
    expect(readTableState(search, spec, today)).toEqual({
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

  it('a preset is in the URL by its name and is counted from today, and its days replace it', () => {
    const period = { ...spec, filters: ['from', 'to'] }
    const change = (search: ListSearch, value: Parameters<typeof getPeriodFilters>[0]) =>
      applyTableChange(search, { filters: getPeriodFilters(value) }, period)
    const days = { start: '2026-11-18', end: '2026-11-24' }
    const relative = change({ from: '2026-01-01', to: '2026-01-02' }, { ...days, preset: 'last_7_days' })
    expect(relative).toEqual({ period: 'last_7_days' })
    expect(readTableState(relative, period, today).filters).toEqual({ from: '2026-11-18', to: '2026-11-24' })
    expect(readTableState(relative, period, '2026-12-01').filters).toEqual({
      from: '2026-11-25',
      to: '2026-12-01',
    })
    expect(change(relative, days)).toEqual({ from: '2026-11-18', to: '2026-11-24' })
    expect(change(relative, null)).toEqual({})
    expect(readTableState({ period: 'soon' }, period, today).filters).toEqual({})
    expect(readTableState(relative, spec, today).filters, 'a list without a period').toEqual({})
    const ownSpec = { ...period, filters: ['from', 'to', 'period'], defaults: { period: 'all' } }
    expect(readTableState(relative, ownSpec, today).filters, 'a page with periods of its own').toEqual(
      relative,
    )
  })

  it('chosen columns are in the URL and leave the page', () => {
    const choice = applyTableChange({ page: 3 }, { columns: 'name,id', page: 3 }, spec)
    expect(choice).toEqual({ page: 3, columns: 'name,id' })
    expect(readTableState(choice, spec, today).columns).toBe('name,id')
    expect(applyTableChange(choice, { columns: '', page: 3 }, spec)).toEqual({ page: 3 })
  })
})
