import { listNotices, noticeKinds, noticeStatuses } from '@karvon/contract/notices/notices.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { getQueueRefetchInterval } from '../../resources/queue.refetch.ts'
import { resourceOptions } from '../../resources/reference-options.ts'
import { createNoticeColumns } from './notices.columns.tsx'
import { noticeTexts as texts } from './notices.texts.ts'

const kindOptions = noticeKinds.map((value) => ({ value, label: texts.kinds[value] ?? value }))
const statusOptions = noticeStatuses.map((value) => ({ value, label: texts.statuses[value] ?? value }))

/** The notices to people's own chats, with the state of each in the queue to Telegram. */
export const NoticesPage = logPage({
  call: listNotices,
  key: queryKeys.notices,
  name: 'notices',
  pageSize: 10,
  texts,
  filters: [
    { name: 'user_id', optionSource: resourceOptions('users'), ...texts.filters.user },
    { name: 'kind', options: kindOptions, ...texts.filters.kind },
    { name: 'status', options: statusOptions, ...texts.filters.status },
    'period',
  ],
  createColumns: createNoticeColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: (row) => row.text,
  lines: 2,
  refetchInterval: getQueueRefetchInterval,
})
