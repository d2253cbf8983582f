import './components/theme.css'
import './components/base.css'

import { options } from 'preact'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PageFailed } from './app/page-failed.tsx'
import { Root } from './app/root.tsx'
import { loadScreen, type AppScreen } from './app/screen.ts'
import { loadSettings } from './lib/settings.query.ts'
import { loadFonts } from './components/fonts.ts'
import { loadLanguage } from './lib/i18n/language.ts'
import { watchLeaving } from './lib/page-leave.ts'

// Effects run before the next key or click, as React runs the effects of an event. The default is the next frame.
options.requestAnimationFrame = (runEffects) => queueMicrotask(runEffects)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with id "root"')
const page = createRoot(root)

/** A page that says why the code of another one could not be loaded. */
const describeFailure = (error: unknown): AppScreen => ({
  url: new URL(window.location.href),
  Page: () => <PageFailed error={error} />,
  isApp: false,
})

/** Not a top-level await: Safari runs modules that import this one before the awaited one. */
const start = async (): Promise<void> => {
  // Chrome before 120, Firefox before 125 and Safari before 17.4 lack one of them.
  if (!('showPopover' in HTMLElement.prototype && 'any' in AbortSignal && 'canParse' in URL))
    (await import('./lib/polyfills.ts')).addMissingFunctions()
  watchLeaving()
  void loadSettings()
  const firstScreen = loadScreen().catch(describeFailure)
  const [drawable, screen] = await Promise.all([loadLanguage(), firstScreen, loadFonts()])
  if (!drawable) return
  // The frame of index.html.
  root.replaceChildren()
  page.render(
    <StrictMode>
      <Root first={screen} />
    </StrictMode>,
  )
}

void start()
