import { listNotices, noticeKinds, noticeStatuses } from '@karvon/contract/notices/notices.ts'
import { createOptions } from '../../components/fields/options.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { getQueueRefetchInterval } from '../../resources/queue.refetch.ts'
import { resourceOptions } from '../../resources/reference-options.ts'
import { createNoticeColumns } from './notices.columns.tsx'
import { noticeTexts as texts } from './notices.texts.ts'

const kindOptions = createOptions(noticeKinds, texts.kinds)
const statusOptions = createOptions(noticeStatuses, texts.statuses)

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
