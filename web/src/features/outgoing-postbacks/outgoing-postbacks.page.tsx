import {
  listOutgoingPostbacks,
  outgoingPostbackStatuses,
} from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { createOptions } from '../../components/fields/options.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { OutgoingPostbackDetail } from './outgoing-postback-detail.tsx'
import { createOutgoingColumns } from './outgoing-postbacks.columns.tsx'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'

const statusOptions = createOptions(outgoingPostbackStatuses, texts.statuses)

/** The log of postbacks to the trackers of media buyers. */
export const OutgoingPostbacksPage = logPage({
  call: listOutgoingPostbacks,
  key: queryKeys.outgoingPostbacks,
  name: 'outgoing-postbacks',
  pageSize: 10,
  texts,
  filters: [
    { name: 'template_id', optionSource: resourceOptions('postback-templates'), ...texts.filters.template },
    { name: 'status', options: statusOptions, ...texts.filters.status },
    'period',
  ],
  createColumns: createOutgoingColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: (row) => row.lead.external_id,
  renderDetail: (openedPostback, setOpenedPostback) => (
    <OutgoingPostbackDetail
      postback={openedPostback}
      onRetry={setOpenedPostback}
      onClose={() => setOpenedPostback(null)}
    />
  ),
})
