import type { Column } from '../components/table/column.ts'
import { formatDateTime } from '../lib/format/date-time.format.ts'

/** A sortable column of times in the time zone `zone`. `key` is the field of the row and the name of the sort. */
export const createTimeColumn = <Key extends string>(
  key: Key,
  header: string,
  zone: string,
): Column<Readonly<Record<Key, string | null>>> => ({
  key,
  header,
  cell: (row) => formatDateTime(row[key], zone),
  sortable: true,
  nowrap: true,
})
