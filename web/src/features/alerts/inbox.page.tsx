import { lazy } from 'react'
import { listInbox, readInbox } from '@karvon/contract/alerts/inbox.ts'
import { send } from '../../lib/http.ts'
import { getRefetchInterval } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { createFlagFilter } from '../../resources/list-filters.tsx'
import { logPage } from '../../resources/log-page.tsx'
import { formatAlert } from './alert.format.ts'
import { createAlertColumns } from './alerts.columns.tsx'
import { useAlertsReload } from './alerts.query.ts'
import { alertTexts as texts } from './alerts.texts.ts'

const AlertDetail = lazy(async () => ({ default: (await import('./alert-detail.tsx')).AlertDetail }))

const { filters } = texts

function ReadAllButton() {
  const reload = useAlertsReload()
  return (
    <ActionButton
      label={texts.readAll}
      loadingText={texts.reading}
      failureText={texts.readFailed}
      run={() => send(readInbox, { body: {} })}
      onSuccess={reload}
    />
  )
}

/** The alerts of a person, the newest first. */
export const InboxPage = logPage({
  call: listInbox,
  key: queryKeys.inbox,
  name: 'alerts',
  pageSize: 20,
  texts: { title: texts.title, loadFailed: texts.loadFailed, empty: texts.empty },
  filters: [createFlagFilter('is_open', filters.open), createFlagFilter('is_read', filters.read)],
  createColumns: createAlertColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: formatAlert,
  lines: 2,
  Actions: ReadAllButton,
  refetchInterval: getRefetchInterval,
  renderDetail: (openedAlert, setOpenedAlert) => (
    <AlertDetail alert={openedAlert} onChange={setOpenedAlert} onClose={() => setOpenedAlert(null)} />
  ),
})
