import { useState } from 'react'
import { phoneQuery, useMedia } from '../components/media.hook.ts'

export interface SidebarState {
  readonly isNarrow: boolean
  readonly opened: boolean
  readonly toggle: () => void
  readonly close: () => void
}

/** Whether the sidebar shows: on wide screens unless put away, at 768 px and below only until the next page. */
export function useSidebar(path: string): SidebarState {
  const isNarrow = useMedia(phoneQuery)
  const [wide, setWide] = useState(true)
  // The page above which it was opened: going to another one puts it away.
  const [phoneAt, setPhoneAt] = useState<string | null>(null)
  const phone = phoneAt === path
  return {
    isNarrow,
    opened: isNarrow ? phone : wide,
    toggle: () => (isNarrow ? setPhoneAt(phone ? null : path) : setWide(!wide)),
    close: () => (isNarrow ? setPhoneAt(null) : setWide(false)),
  }
}
