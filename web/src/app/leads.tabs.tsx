import { lazy } from 'react'
import { isAdmin, useSession } from '../lib/session.store.ts'
import { LeadsPage, OwnLeadsPage } from '../features/leads/leads.page.tsx'
import { appTexts } from './app.texts.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

// Most people open the list of leads only. The code of the other tabs loads when they are opened.
const Unmapped = lazy(async () => ({
  default: (await import('../features/leads/unmapped.page.tsx')).UnmappedStatusesPage,
}))
const Postbacks = lazy(async () => ({
  default: (await import('../features/postbacks/postbacks.page.tsx')).PostbacksPage,
}))
const Outgoing = lazy(async () => ({
  default: (await import('../features/outgoing-postbacks/outgoing-postbacks.page.tsx')).OutgoingPostbacksPage,
}))
const Templates = lazy(async () => ({
  default: (await import('../features/postback-templates/postback-templates.page.tsx')).PostbackTemplatesPage,
}))

/** The leads pages: all tabs for admins, the own leads for other people. */
export function LeadsTabs() {
  if (!isAdmin(useSession())) return <OwnLeadsPage />
  return (
    <TabbedPage
      label={titles.leads}
      tabs={[
        { value: 'leads', label: tabs.leads, Page: LeadsPage },
        { value: 'unmapped', label: tabs.unmapped, Page: Unmapped },
        { value: 'postbacks', label: tabs.postbacks, Page: Postbacks },
        { value: 'outgoing', label: tabs.outgoing, Page: Outgoing },
        { value: 'templates', label: tabs.templates, Page: Templates },
      ]}
    />
  )
}
