import { useEffect, useMemo } from 'react'
import { chooseTableColumns } from '../components/table/column.ts'
import { DataTable, type DataTableProps } from '../components/table/data-table.tsx'
import { Pagination } from '../components/table/pagination.tsx'
import { useSkeletonRowCount } from './skeleton-rows.hook.ts'
import { useErrorMessage } from './error-message.ts'
import type { List } from '../lib/list.query.ts'

export type ListTableProps<Row> = Omit<
  DataTableProps<Row>,
  'rows' | 'loading' | 'error' | 'onRetry' | 'sort' | 'onSort' | 'footer' | 'skeletonRows'
> & {
  list: Pick<List<Row>, 'table' | 'result' | 'prefetchNext'>
  /** The message when the list could not be loaded. The reason is below it. */
  failedText: string
  /** The person set no filter. The total is then the number of filtered rows. */
  isUnfiltered?: boolean
}

/** A list from the server: its rows, states, sort and pages. */
export function ListTable<Row>({
  list: { table, result, prefetchNext },
  failedText,
  isUnfiltered = false,
  columns,
  ...rest
}: ListTableProps<Row>) {
  const { state, change } = table
  const reason = useErrorMessage()
  const { data, error, isFetching } = result
  const lastPage = data ? Math.max(1, Math.ceil(data.filtered / state.size)) : state.page

  // The last row of the last page was deleted, or the link is older than the rows.
  const isBeyondLastPage =
    data !== undefined && !isFetching && data.items.length === 0 && state.page > lastPage
  useEffect(() => {
    if (isBeyondLastPage) change({ page: lastPage, isCorrection: true })
  })

  const shownColumns = useMemo(() => chooseTableColumns(columns, state.columns), [columns, state.columns])
  const skeletonRows = useSkeletonRowCount(rest.label, state.size, data?.items.length)

  return (
    <DataTable
      {...rest}
      columns={shownColumns}
      rows={data?.items}
      loading={isFetching || isBeyondLastPage}
      skeletonRows={skeletonRows}
      error={error && { message: failedText, reason: reason(error) }}
      onRetry={() => void result.refetch()}
      sort={state.sort}
      onSort={(sort) => change({ sort })}
      footer={
        data && (
          <Pagination
            page={state.page}
            pageSize={state.size}
            shown={data.items.length}
            total={isUnfiltered ? data.filtered : data.total}
            filteredTotal={data.filtered}
            onPage={(page) => change({ page })}
            onNextNear={prefetchNext}
            onPageSize={(size) => change({ size })}
          />
        )
      }
    />
  )
}
