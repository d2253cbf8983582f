import { useState } from 'react'
import type { TableChange, TableControl, TableState } from './table-state.ts'

const initialState: TableState = { page: 1, size: 10, sort: null, search: '', filters: {} }

/** A removed filter is an empty text. */
const fillUndefined = (filters: TableChange['filters'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, value ?? '']))

/** The state of a list in a dialog. It is not in the URL, which belongs to the list on the page. */
export function useDialogTableState(): TableControl {
  const [state, setState] = useState(initialState)
  const change = ({ page = 1, size, sort, search, filters }: TableChange) =>
    setState((before) => ({
      page,
      size: size ?? before.size,
      sort: sort === undefined ? before.sort : sort,
      search: search ?? before.search,
      filters: { ...before.filters, ...fillUndefined(filters) },
    }))
  return { state, change }
}
