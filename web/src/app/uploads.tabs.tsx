import { UploadsPage } from '../features/uploads/uploads.page.tsx'
import { appTexts } from './app.texts.ts'
import { createTabPreload, lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const lazyTabs = {
  notices: lazyTab(async () => (await import('../features/notices/notices.page.tsx')).NoticesPage),
}
export const preloadUploadsTab = createTabPreload(lazyTabs)

/** The queues of messages to Telegram. */
export function UploadsTabs() {
  return (
    <TabbedPage
      label={titles.uploads}
      tabs={[
        { value: 'uploads', label: titles.uploads, Page: UploadsPage },
        { value: 'notices', label: tabs.notices, ...lazyTabs.notices },
      ]}
    />
  )
}
