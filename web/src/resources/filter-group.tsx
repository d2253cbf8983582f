import { useState, type ReactNode } from 'react'
import { Button } from '../components/actions/button.tsx'
import { phoneQuery, useMedia } from '../components/media.hook.ts'
import type { TableControl } from '../lib/table-state.ts'
import { filterTexts as texts } from './list-filters.texts.ts'

/** So many filters leave room for rows on the first screen of a phone. */
const maxAlwaysShown = 2

/** Pixels that show the label while nothing is chosen. Filters of a toolbar do not change their width. */
export const getFilterWidth = (any: string, min: number): number => Math.max(min, any.length * 8.5 + 48)

type FilterGroupProps = {
  table: TableControl
  /** A key in the URL of each filter. */
  names: readonly string[]
  children: ReactNode
}

/** The filters of a list. On a phone a button shows them, and counts those that are set. */
export function FilterGroup({ table, names, children }: FilterGroupProps) {
  const isPhone = useMedia(phoneQuery)
  const [isOpen, setIsOpen] = useState(false)
  const isCollapsible = isPhone && names.length > maxAlwaysShown
  const count = names.filter((name) => table.state.filters[name]).length
  // The filters stay at the same place, so that they keep their state when the window changes its width.
  return (
    <>
      {isCollapsible && (
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {texts.filters} {count > 0 && <b>{count}</b>}
        </Button>
      )}
      {(isOpen || !isCollapsible) && children}
    </>
  )
}
