import { useSyncExternalStore } from 'react'
import { createListeners } from '../../lib/listeners.ts'

export type Theme = 'light' | 'dark'

/** The key of the saved choice in local storage (specification, section 9). */
const themeKey = 'theme'

const { notify, subscribe } = createListeners()
const matchSystemDark = () => window.matchMedia('(prefers-color-scheme: dark)')

// A choice that storage refuses (private mode, blocked cookies) is kept until the page closes.
let unsavedTheme: Theme | null = null
let current: Theme | null = null

const isTheme = (value: unknown): value is Theme => value === 'light' || value === 'dark'

function readSavedTheme(): Theme | null {
  try {
    const savedTheme = localStorage.getItem(themeKey)
    return isTheme(savedTheme) ? savedTheme : unsavedTheme
  } catch {
    return unsavedTheme
  }
}

function apply(): void {
  const next = readSavedTheme() ?? (matchSystemDark().matches ? 'dark' : 'light')
  const root = document.documentElement
  root.dataset.theme = next
  if (next === current) return
  current = next
  notify()
}

function onStorage(event: StorageEvent): void {
  // A null key means that another tab cleared the whole storage.
  if (event.key === themeKey || event.key === null) {
    unsavedTheme = null
    apply()
  }
}

/**
 * Applies the theme to the document root and follows the system and other tabs. Returns a function that stops
 * this.
 */
export function startTheme(): () => void {
  const system = matchSystemDark()
  apply()
  system.addEventListener('change', apply)
  window.addEventListener('storage', onStorage)
  return () => {
    system.removeEventListener('change', apply)
    window.removeEventListener('storage', onStorage)
  }
}

/** Saves the choice for this tab and the others. */
function setTheme(theme: Theme): void {
  try {
    localStorage.setItem(themeKey, theme)
    unsavedTheme = null
  } catch {
    unsavedTheme = theme
  }
  apply()
}

function getSnapshot(): Theme {
  if (current === null) apply()
  return current ?? 'light'
}

/** The current theme, and a toggle between light and dark that saves the choice. */
export function useTheme(): { theme: Theme; toggle: () => void } {
  const theme = useSyncExternalStore(subscribe, getSnapshot)
  return { theme, toggle: () => setTheme(theme === 'dark' ? 'light' : 'dark') }
}
