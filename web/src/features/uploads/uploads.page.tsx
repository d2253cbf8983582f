import { listUploads, uploadStatuses } from '@karvon/contract/uploads/uploads.ts'
import { createOptions } from '../../components/fields/options.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { getQueueRefetchInterval } from '../../resources/queue.refetch.ts'
import { resourceOptions } from '../../resources/reference-options.ts'
import { createUploadColumns } from './uploads.columns.tsx'
import { queueTexts as texts } from './uploads.texts.ts'

const statusOptions = createOptions(uploadStatuses, texts.statuses)

/** The uploaded files, with the state of each in the queue to Telegram. */
export const UploadsPage = logPage({
  call: listUploads,
  key: queryKeys.uploads,
  name: 'uploads',
  pageSize: 10,
  texts,
  filters: [
    { name: 'user_id', optionSource: resourceOptions('users'), ...texts.filters.user },
    { name: 'status', options: statusOptions, ...texts.filters.status },
    'period',
  ],
  createColumns: createUploadColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: (row) => row.name,
  lines: 2,
  refetchInterval: getQueueRefetchInterval,
})
