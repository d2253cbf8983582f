import { Suspense, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Logo, LogoMark } from '../components/actions/brand.tsx'
import { useSettings } from '../lib/settings.store.ts'
import { appTexts as texts } from './app.texts.ts'
import {
  adminSections,
  offeredPages,
  personSection,
  sectionOf,
  type NavPage,
  type NavSection,
} from './navigation.ts'
import classes from './sidebar.module.css'
import type { SidebarState } from './sidebar.store.ts'

type SidebarProps = { id: string; admin: boolean; path: string; tab: string | undefined; state: SidebarState }

/** The way around: for admins a rail of sections and the pages of one, for anyone else the pages alone. */
export function Sidebar({ id, admin, path, tab, state }: SidebarProps) {
  const { isNarrow, opened } = state
  const settings = useSettings()
  const here = sectionOf(path, tab)
  // On a phone a section opens its pages first; on wide screens it goes to its first page at once.
  const [looked, setLooked] = useState<{ at: string; section: NavSection } | null>(null)
  const chosen = looked && isNarrow && looked.at === path ? looked.section : here
  const shown = admin ? (chosen ?? adminSections[0]) : personSection
  const pages = offeredPages(shown?.pages ?? [], settings)

  return (
    <nav
      id={id}
      aria-label={texts.mainMenu}
      inert={!opened}
      className={classes.sidebar}
      data-opened={opened || undefined}
      data-admin={admin || undefined}
    >
      {admin && (
        <ul className={classes.rail}>
          <li className={classes.mark}>
            <LogoMark />
          </li>
          {adminSections.map((each) => (
            <li key={each.label}>
              <Link
                to={each.to}
                activeOptions={{ exact: true }}
                className={classes.section ?? ''}
                data-on={each === chosen || undefined}
                {...(isNarrow && { role: 'button', 'aria-expanded': each === shown })}
                onClick={(event) => {
                  if (!isNarrow) return
                  event.preventDefault()
                  setLooked({ at: path, section: each })
                }}
              >
                <each.icon />
                {each.label}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.panel}>
        {admin ? (
          <p className={classes.heading}>{shown?.label}</p>
        ) : (
          <div className={classes.brand}>
            <Logo />
          </div>
        )}
        <ul>
          {pages.map((page) => {
            const on = page.to === path && (pages.length === 1 || page.tab === tab || !usesTabs(pages))
            return (
              <li key={page.label}>
                <Link
                  to={page.to}
                  search={page.tab ? { tab: page.tab } : {}}
                  activeOptions={{ exact: true, includeSearch: true }}
                  aria-current={on ? 'page' : undefined}
                  className={classes.page ?? ''}
                  data-on={on || undefined}
                  onClick={() => isNarrow && state.close()}
                >
                  {page.label}
                  {page.Count && (
                    <Suspense>
                      <page.Count />
                    </Suspense>
                  )}
                </Link>
              </li>
            )
          })}
        </ul>
      </div>
    </nav>
  )
}

const usesTabs = (pages: readonly NavPage[]) => pages.some(({ tab }) => tab !== undefined)
