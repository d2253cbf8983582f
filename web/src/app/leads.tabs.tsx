import { isAdmin, useSession } from '../kit/session.store.ts'
import { LeadsPage, OwnLeadsPage } from '../leads/leads.page.tsx'
import { UnmappedPage } from '../leads/unmapped.page.tsx'
import { OutgoingPostbacksPage } from '../outgoing-postbacks/outgoing-postbacks.page.tsx'
import { PostbackTemplatesPage } from '../postback-templates/postback-templates.page.tsx'
import { PostbacksPage } from '../postbacks/postbacks.page.tsx'
import { appTexts } from './app.texts.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

/** For admins the leads and what comes in and goes out of them; for anyone else their own leads alone. */
export function LeadsTabs() {
  if (!isAdmin(useSession())) return <OwnLeadsPage />
  return (
    <TabbedPage
      label={titles.leads}
      tabs={[
        { value: 'leads', label: tabs.leads, Page: LeadsPage },
        { value: 'unmapped', label: tabs.unmapped, Page: UnmappedPage },
        { value: 'postbacks', label: tabs.postbacks, Page: PostbacksPage },
        { value: 'outgoing', label: tabs.outgoing, Page: OutgoingPostbacksPage },
        { value: 'templates', label: tabs.templates, Page: PostbackTemplatesPage },
      ]}
    />
  )
}
