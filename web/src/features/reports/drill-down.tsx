import { useCallback, type MouseEvent, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import classes from './drill-down.module.css'

/** What narrows the list of leads, as its URL names it. */
export type LeadsSearch = Readonly<Record<string, string | undefined>>

export type LeadsLink = (said: string, to: LeadsSearch) => ReactNode

/** A figure as a quiet link to the leads behind it. Keeps its identity between renders. */
export function useLeadsLink(): LeadsLink {
  const navigate = useNavigate()
  return useCallback(
    (said, to) => {
      const given = Object.entries(to).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const follow = (event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void navigate({ to: '/leads', search: Object.fromEntries(given) })
      }
      // Not the router's own link: a report of 200 rows has 2,000 of these.
      return (
        <a
          href={`/leads?${new URLSearchParams(given).toString()}`}
          className={classes.figure}
          onClick={follow}
        >
          {said}
        </a>
      )
    },
    [navigate],
  )
}
