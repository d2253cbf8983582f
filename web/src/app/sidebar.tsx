import { Suspense, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Logo, LogoMark } from '../components/actions/brand.tsx'
import { useSettings } from '../lib/settings.store.ts'
import { appTexts as texts } from './app.texts.ts'
import {
  adminSections,
  filterAvailablePages,
  filterAvailableSections,
  personSection,
  findSection,
  type NavPage,
  type NavSection,
} from './navigation.ts'
import classes from './sidebar.module.css'
import type { SidebarState } from './sidebar.store.ts'

type SidebarProps = { id: string; admin: boolean; path: string; tab: string | undefined; state: SidebarState }

/**
 * The navigation: a rail of sections and the pages of one section for admins, the pages alone for other
 * people.
 */
export function Sidebar({ id, admin, path, tab, state }: SidebarProps) {
  const { isNarrow, opened } = state
  const settings = useSettings()
  const currentSection = findSection(path, tab)
  // On a phone a section shows its pages first. On wide screens it opens its first page.
  const [openedSection, setOpenedSection] = useState<{ at: string; section: NavSection } | null>(null)
  const selectedSection =
    openedSection && isNarrow && openedSection.at === path ? openedSection.section : currentSection
  const shownSection = admin ? (selectedSection ?? adminSections[0]) : personSection
  const pages = filterAvailablePages(shownSection?.pages ?? [], settings)

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
          {filterAvailableSections(settings).map((section) => (
            <li key={section.label}>
              <Link
                to={section.to}
                activeOptions={{ exact: true }}
                className={classes.section ?? ''}
                data-on={section === selectedSection || undefined}
                {...(isNarrow && { role: 'button', 'aria-expanded': section === shownSection })}
                onClick={(event) => {
                  if (!isNarrow) return
                  event.preventDefault()
                  setOpenedSection({ at: path, section })
                }}
              >
                <section.icon />
                {section.label}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.panel}>
        {admin ? (
          <p className={classes.heading}>{shownSection?.label}</p>
        ) : (
          <div className={classes.brand}>
            <Logo />
          </div>
        )}
        <ul>
          {pages.map((page) => {
            const isCurrent = page.to === path && (pages.length === 1 || page.tab === tab || !hasTabs(pages))
            return (
              <li key={page.label}>
                <Link
                  to={page.to}
                  search={page.tab ? { tab: page.tab } : {}}
                  activeOptions={{ exact: true, includeSearch: true }}
                  aria-current={isCurrent ? 'page' : undefined}
                  className={classes.page ?? ''}
                  data-on={isCurrent || undefined}
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

const hasTabs = (pages: readonly NavPage[]) => pages.some(({ tab }) => tab !== undefined)
