import { isAdmin, useSession } from '../lib/session.store.ts'
import { LeadsPage, OwnLeadsPage } from '../features/leads/leads.page.tsx'
import { appTexts } from './app.texts.ts'
import { lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

// Most people open the list of leads only. The code of the other tabs loads when they are opened.
const unmapped = lazyTab(
  async () => (await import('../features/leads/unmapped.page.tsx')).UnmappedStatusesPage,
)
const postbacks = lazyTab(
  async () => (await import('../features/postbacks/postbacks.page.tsx')).PostbacksPage,
)
const outgoing = lazyTab(
  async () =>
    (await import('../features/outgoing-postbacks/outgoing-postbacks.page.tsx')).OutgoingPostbacksPage,
)
const templates = lazyTab(
  async () =>
    (await import('../features/postback-templates/postback-templates.page.tsx')).PostbackTemplatesPage,
)

/** The leads pages: all tabs for admins, the own leads for other people. */
export function LeadsTabs() {
  if (!isAdmin(useSession())) return <OwnLeadsPage />
  return (
    <TabbedPage
      label={titles.leads}
      tabs={[
        { value: 'leads', label: tabs.leads, Page: LeadsPage },
        { value: 'unmapped', label: tabs.unmapped, ...unmapped },
        { value: 'postbacks', label: tabs.postbacks, ...postbacks },
        { value: 'outgoing', label: tabs.outgoing, ...outgoing },
        { value: 'templates', label: tabs.templates, ...templates },
      ]}
    />
  )
}
