import './components/theme.css'
import './components/base.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PageFailed } from './app/page-failed.tsx'
import { Root } from './app/root.tsx'
import { loadScreen, type AppScreen } from './app/screen.ts'
import { loadSettings } from './lib/settings.query.ts'
import { loadFonts } from './components/fonts.ts'
import { loadLanguage } from './lib/i18n/language.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with id "root"')
const page = createRoot(root)

/** A page that says why the code of another one could not be loaded. */
const describeFailure = (error: unknown): AppScreen => ({
  url: new URL(window.location.href),
  Page: () => <PageFailed error={error} />,
  isDesk: false,
})

void loadSettings()
const first = loadScreen().catch(describeFailure)
void Promise.all([loadLanguage(), first, loadFonts()]).then(([drawable, screen]) => {
  if (!drawable) return
  page.render(
    <StrictMode>
      <Root first={screen} />
    </StrictMode>,
  )
})
