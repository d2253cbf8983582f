// Runs before the first paint so that a dark app never flashes white; the rule is that of components/theme/theme.store.ts.
;(() => {
  let saved = null
  try {
    saved = localStorage.getItem('theme')
  } catch {
    // Storage is blocked: the system decides.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = saved === 'light' || saved === 'dark' ? saved : system
})()
