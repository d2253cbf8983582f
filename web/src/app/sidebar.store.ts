import { useState } from 'react'
import { phoneQuery, useMedia } from '../components/media.hook.ts'

export interface SidebarState {
  readonly isNarrow: boolean
  readonly opened: boolean
  readonly toggle: () => void
  readonly close: () => void
}

/**
 * The state of the sidebar: shown on wide screens unless closed; at 768 px and below only until the next
 * page.
 */
export function useSidebar(path: string): SidebarState {
  const isNarrow = useMedia(phoneQuery)
  const [isWideOpened, setIsWideOpened] = useState(true)
  // The path at which the sidebar was opened. On another path it is closed.
  const [phonePath, setPhonePath] = useState<string | null>(null)
  const isPhoneOpened = phonePath === path
  return {
    isNarrow,
    opened: isNarrow ? isPhoneOpened : isWideOpened,
    toggle: () => (isNarrow ? setPhonePath(isPhoneOpened ? null : path) : setIsWideOpened(!isWideOpened)),
    close: () => (isNarrow ? setPhonePath(null) : setIsWideOpened(false)),
  }
}
