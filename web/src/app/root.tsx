import { useEffect, useMemo, useState } from 'react'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { UiProvider } from '../components/ui-provider.tsx'
import { PageLocationContext, type PageLocation } from '../lib/page-location.ts'
import { PageFailed } from './page-failed.tsx'
import { loadScreen, preloadScreen, type AppScreen } from './screen.ts'

type Navigation = Pick<PageLocation, 'navigate' | 'preload'> & { readonly reload: () => Promise<void> }

/** The longest wait for the end of a press, in frames: about two seconds. */
const maxPressFrames = 120

/** Waits while an element is pressed, because the next page would replace the element, and its click would be lost. */
async function waitForRelease(): Promise<void> {
  for (let frame = 0; frame < maxPressFrames && document.querySelector(':active'); frame += 1)
    await new Promise(requestAnimationFrame)
}

/** The navigation between public pages, and from them to the app. */
function createNavigation(show: (screen: AppScreen) => void): Navigation {
  let lastRequest = 0
  const reload = async () => {
    lastRequest += 1
    const request = lastRequest
    try {
      const screen = await loadScreen()
      await waitForRelease()
      if (request === lastRequest) show(screen)
    } catch {
      // A new version has replaced the code of this one.
      window.location.reload()
    }
  }
  return {
    reload,
    navigate: async (to, { replace = false } = {}) => {
      if (replace) window.history.replaceState(null, '', to)
      else window.history.pushState(null, '', to)
      await reload()
      window.scrollTo(0, 0)
    },
    preload: (to) => void preloadScreen(to),
  }
}

/** Shows public pages, then the app. The app stays after a sign-out, because its router has the public pages, too. */
export function Root({ first }: { first: AppScreen }) {
  const [{ url, Page, isApp }, setScreen] = useState(first)
  const [{ navigate, preload, reload }] = useState(() => createNavigation(setScreen))
  const location = useMemo(() => ({ url, navigate, preload }), [url, navigate, preload])
  useEffect(() => {
    if (isApp) return
    const onChange = () => void reload()
    window.addEventListener('popstate', onChange)
    // Another tab signs in.
    window.addEventListener('storage', onChange)
    return () => {
      window.removeEventListener('popstate', onChange)
      window.removeEventListener('storage', onChange)
    }
  }, [isApp, reload])
  return (
    <UiProvider>
      <PageLocationContext value={location}>
        <ErrorBoundary key={url.href} renderFailure={(error) => <PageFailed error={error} />}>
          <Page />
        </ErrorBoundary>
      </PageLocationContext>
    </UiProvider>
  )
}
