import { listPostbacks, postbackOutcomes, postbackReasons } from '@karvon/contract/postbacks/postbacks.ts'
import { createOptions } from '../../components/fields/options.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { PostbackDetail } from './postback-detail.tsx'
import { createPostbackColumns } from './postbacks.columns.tsx'
import { postbackTexts as texts } from './postbacks.texts.ts'

const outcomeOptions = createOptions(postbackOutcomes, texts.outcomes)
const reasonOptions = createOptions(postbackReasons, texts.reasons)

/** The log of postbacks from networks, with a button that processes one again. */
export const PostbacksPage = logPage({
  call: listPostbacks,
  key: queryKeys.postbacks,
  name: 'postbacks',
  pageSize: 10,
  texts,
  filters: [
    { name: 'source_id', optionSource: resourceOptions('cpa-sources'), ...texts.filters.source },
    { name: 'outcome', options: outcomeOptions, ...texts.filters.outcome },
    { name: 'reason', options: reasonOptions, ...texts.filters.reason },
    'period',
  ],
  createColumns: createPostbackColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: (row) => row.external_id ?? String(row.id),
  renderDetail: (openedPostback, setOpenedPostback) => (
    <PostbackDetail
      postback={openedPostback}
      onReplay={setOpenedPostback}
      onClose={() => setOpenedPostback(null)}
    />
  ),
})
