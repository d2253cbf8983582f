// Runs before the first paint so that a dark desk never flashes white; the rule is ui/theme/theme.store.ts's.
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
