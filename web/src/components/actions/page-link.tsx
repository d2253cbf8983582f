import type { MouseEvent, ReactNode } from 'react'
import { usePageLocation } from '../../lib/page-location.ts'

/** A link of a page that needs no session. The code of its page is fetched when the pointer or focus is on it. */
export function PageLink({ to, children }: { to: string; children: ReactNode }) {
  const { url, navigate, preload } = usePageLocation()
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate(to)
  }
  return (
    <a
      href={to}
      aria-current={url.pathname === to ? 'page' : undefined}
      onPointerEnter={() => preload(to)}
      onFocus={() => preload(to)}
      onClick={onClick}
    >
      {children}
    </a>
  )
}
