import { useCallback, type MouseEvent, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import classes from './drill-down.module.css'

/** The filters of the list of leads, as in its URL. */
export type LeadsSearch = Readonly<Record<string, string | undefined>>

export type RenderLeadsLink = (text: string, search: LeadsSearch) => ReactNode

/** Renders a figure as a link to its leads. The function keeps its identity between renders. */
export function useLeadsLink(): RenderLeadsLink {
  const navigate = useNavigate()
  return useCallback(
    (text, search) => {
      const entries = Object.entries(search).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      )
      const openLeads = (event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void navigate({ to: '/leads', search: Object.fromEntries(entries) })
      }
      // Not the router's Link: a report of 200 rows has 2,000 of these links.
      return (
        <a
          href={`/leads?${new URLSearchParams(entries).toString()}`}
          className={classes.figure}
          onClick={openLeads}
        >
          {text}
        </a>
      )
    },
    [navigate],
  )
}
