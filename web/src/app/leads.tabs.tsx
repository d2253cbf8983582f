import { isAdmin, useSession } from '../lib/session.store.ts'
import { appTexts } from './app.texts.ts'
import { createTabPreload, lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const ownLeads = lazyTab(async () => (await import('../features/leads/leads.page.tsx')).OwnLeadsPage)

const lazyTabs = {
  leads: lazyTab(async () => (await import('../features/leads/leads.page.tsx')).LeadsPage),
  unmapped: lazyTab(async () => (await import('../features/leads/unmapped.page.tsx')).UnmappedStatusesPage),
  postbacks: lazyTab(async () => (await import('../features/postbacks/postbacks.page.tsx')).PostbacksPage),
  outgoing: lazyTab(
    async () =>
      (await import('../features/outgoing-postbacks/outgoing-postbacks.page.tsx')).OutgoingPostbacksPage,
  ),
  templates: lazyTab(
    async () =>
      (await import('../features/postback-templates/postback-templates.page.tsx')).PostbackTemplatesPage,
  ),
}
export const preloadLeadsTab = createTabPreload(lazyTabs, 'leads')

/** The leads pages: all tabs for admins, the own leads for other people. */
export function LeadsTabs() {
  if (!isAdmin(useSession())) return <ownLeads.Page />
  return (
    <TabbedPage
      label={titles.leads}
      tabs={[
        { value: 'leads', label: tabs.leads, ...lazyTabs.leads },
        { value: 'unmapped', label: tabs.unmapped, ...lazyTabs.unmapped },
        { value: 'postbacks', label: tabs.postbacks, ...lazyTabs.postbacks },
        { value: 'outgoing', label: tabs.outgoing, ...lazyTabs.outgoing },
        { value: 'templates', label: tabs.templates, ...lazyTabs.templates },
      ]}
    />
  )
}
