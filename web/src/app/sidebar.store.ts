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
  const [isOpenWhenWide, setIsOpenWhenWide] = useState(true)
  // The path at which the sidebar was opened. On another path it is closed.
  const [phonePath, setPhonePath] = useState<string | null>(null)
  const isOpenOnPhone = phonePath === path
  return {
    isNarrow,
    opened: isNarrow ? isOpenOnPhone : isOpenWhenWide,
    toggle: () => (isNarrow ? setPhonePath(isOpenOnPhone ? null : path) : setIsOpenWhenWide(!isOpenWhenWide)),
    close: () => (isNarrow ? setPhonePath(null) : setIsOpenWhenWide(false)),
  }
}
