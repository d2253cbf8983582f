import { useEffect } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { DataTable, type DataTableProps } from '../components/table/data-table.tsx'
import { Pagination } from '../components/table/pagination.tsx'
import { useAwaitedRows } from './awaited-rows.hook.ts'
import type { ListAnswer } from '../lib/list.answer.ts'
import { useReason } from './reason.tsx'
import type { TableControl } from '../lib/table-state.ts'

type ListTableProps<Row> = Omit<
  DataTableProps<Row>,
  'rows' | 'loading' | 'error' | 'onRetry' | 'sort' | 'onSort' | 'footer' | 'skeletonRows'
> & {
  table: TableControl
  query: UseQueryResult<ListAnswer<Row>>
  /** Said when the list could not be loaded; the reason stands below it. */
  failedText: string
  /** Nobody narrowed the list: what it does not show by itself is not said to be filtered away. */
  unfiltered?: boolean
}

/** A list from the server: its rows, its states, its sort and its pages. */
export function ListTable<Row>({
  table,
  query,
  failedText,
  unfiltered = false,
  ...rest
}: ListTableProps<Row>) {
  const { state, change } = table
  const reason = useReason()
  const { data, error, isFetching } = query
  const failed = error !== null && !isFetching
  const last = data ? Math.max(1, Math.ceil(data.filtered / state.size)) : state.page

  // The last row of the last page was deleted, or the link is older than the rows.
  const beyond = data !== undefined && !isFetching && data.items.length === 0 && state.page > last
  useEffect(() => {
    if (beyond) change({ page: last })
  })

  const skeletonRows = useAwaitedRows(rest.label, state.size, data?.items.length)

  return (
    <DataTable
      {...rest}
      rows={data?.items}
      loading={isFetching}
      skeletonRows={skeletonRows}
      error={failed ? { message: failedText, reason: reason(error) } : null}
      onRetry={() => void query.refetch()}
      sort={state.sort}
      onSort={(sort) => change({ sort })}
      footer={
        data &&
        !failed && (
          <Pagination
            page={state.page}
            pageSize={state.size}
            shown={data.items.length}
            total={unfiltered ? data.filtered : data.total}
            filteredTotal={data.filtered}
            onPage={(page) => change({ page })}
            onPageSize={(size) => change({ size })}
          />
        )
      }
    />
  )
}
