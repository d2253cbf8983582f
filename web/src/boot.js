// Runs before the first paint. The address of the app's code comes from the build.
;(() => {
  const { documentElement, currentScript, head } = document
  /** @param {string} key */
  const readStorage = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage is blocked.
      return null
    }
  }
  // The rule of components/theme/theme.store.ts. A dark app never flashes white.
  const theme = readStorage('theme')
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  documentElement.dataset.theme = theme === 'light' || theme === 'dark' ? theme : system

  // The pages that are open to anybody, with and without a session: app/public-pages.ts.
  if (/^\/(?:track|reset-password)(?:\/|$)/i.test(location.pathname)) return
  // The session of lib/session.store.ts. With one, the frame of the app shows while its code loads.
  try {
    const session = /** @type {{ token?: string, user?: { role?: string } } | null} */ (
      JSON.parse(readStorage('emu_auth') ?? 'null')
    )
    if (!session?.token) return
    documentElement.dataset.frame = session.user?.role === 'admin' ? 'admin' : 'person'
    const href = currentScript?.dataset.app
    if (href) head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  } catch {
    // The record is no JSON.
  }
})()
