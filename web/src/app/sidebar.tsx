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
  const currentSection = findSection(path, tab)
  // On a phone a section shows its pages first. On wide screens it opens its first page.
  const [openedSection, setOpenedSection] = useState<{ at: string; section: NavSection } | null>(null)
  const selectedSection =
    openedSection && isNarrow && openedSection.at === path ? openedSection.section : currentSection
  const shownSection = admin ? (selectedSection ?? adminSections[0]) : personSection

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
        <SectionRail
          selectedSection={selectedSection}
          shownSection={shownSection}
          isNarrow={isNarrow}
          onOpen={(section) => setOpenedSection({ at: path, section })}
        />
      )}
      <div className={classes.panel}>
        {admin ? (
          <p className={classes.heading}>{shownSection?.label}</p>
        ) : (
          <div className={classes.brand}>
            <Logo />
          </div>
        )}
        <PageList section={shownSection} path={path} tab={tab} onOpen={() => isNarrow && state.close()} />
      </div>
    </nav>
  )
}

type SectionRailProps = {
  selectedSection: NavSection | undefined
  shownSection: NavSection | undefined
  isNarrow: boolean
  onOpen: (section: NavSection) => void
}

/** The icons of the sections. On a phone they are buttons that show the pages of a section. */
function SectionRail({ selectedSection, shownSection, isNarrow, onOpen }: SectionRailProps) {
  return (
    <ul className={classes.rail}>
      <li className={classes.mark}>
        <LogoMark />
      </li>
      {filterAvailableSections(useSettings()).map((section) => (
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
              onOpen(section)
            }}
          >
            <section.icon />
            {section.label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

type PageListProps = {
  section: NavSection | undefined
  path: string
  tab: string | undefined
  onOpen: () => void
}

function PageList({ section, path, tab, onOpen }: PageListProps) {
  const pages = filterAvailablePages(section?.pages ?? [], useSettings())
  return (
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
              onClick={onOpen}
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
  )
}

const hasTabs = (pages: readonly NavPage[]) => pages.some(({ tab }) => tab !== undefined)
