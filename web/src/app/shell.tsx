import { type RefObject, Suspense, useEffect, useRef } from 'react'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { IconButton } from '../components/actions/icon-button.tsx'
import { MenuIcon } from '../components/actions/icons.tsx'
import { PageBody } from '../components/display/layout.tsx'
import { useDocumentKey } from '../components/document-key.hook.ts'
import { lazyOptional } from '../components/lazy-optional.ts'
import { ThemeToggle } from '../components/theme/theme-toggle.tsx'
import { getToday } from '../lib/format/date-time.format.ts'
import { reachDraft } from '../lib/session.draft.ts'
import { isAdmin, useSession, type SessionUser } from '../lib/session.store.ts'
import { useFeature, useSettings } from '../lib/settings.store.ts'
import { appTexts as texts } from './app.texts.ts'
import { Finder } from './finder.tsx'
import { useOwnProfile } from './own-profile.query.ts'
import { ProfileMenu } from './profile-menu.tsx'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { useSidebar, type SidebarState } from './sidebar.store.ts'

const AlertsLink = lazyOptional(async () => (await import('../features/alerts/alerts-link.tsx')).AlertsLink)

const sidebarId = 'sidebar'
const mainId = 'main'

/** The frame of every page of a signed-in person. */
export function Shell() {
  const session = useSession()
  useOwnProfile()
  const { pathname, search, searchStr } = useLocation()
  const sidebar = useSidebar(pathname)
  const toggle = useRef<HTMLButtonElement>(null)
  const admin = isAdmin(session)
  const isCovered = sidebar.isNarrow && sidebar.opened

  useDocumentKey((event) => {
    if (!isCovered || event.key !== 'Escape' || event.defaultPrevented) return
    sidebar.close()
    toggle.current?.focus()
  })

  useEffect(() => reachDraft(pathname + searchStr), [pathname, searchStr])

  // After sign-out no page may send another call before the guard redirects.
  if (!session) return null
  return (
    // Another person's pages start with fresh state.
    <div key={session.token} className={classes.app}>
      <a href={`#${mainId}`} className={classes.skip}>
        {texts.skip}
      </a>
      <Header user={session.user} admin={admin} sidebar={sidebar} toggle={toggle} />
      <Sidebar
        id={sidebarId}
        admin={admin}
        path={pathname}
        tab={(search as { tab?: string }).tab}
        state={sidebar}
      />
      <div className={classes.content} inert={isCovered}>
        <main id={mainId} tabIndex={-1} className={classes.main}>
          <PageBody>
            <Suspense>
              <Outlet />
            </Suspense>
          </PageBody>
        </main>
        <Footer />
      </div>
      {isCovered && <div className={classes.veil} aria-hidden="true" onClick={sidebar.close} />}
    </div>
  )
}

type HeaderProps = {
  user: SessionUser | null
  admin: boolean
  sidebar: SidebarState
  /** The button of the sidebar. */
  toggle: RefObject<HTMLButtonElement | null>
}

/** The title of the page, in the window too, and the tools that every page has. */
function Header({ user, admin, sidebar, toggle }: HeaderProps) {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  const { title = '', russian = false } = page ?? {}
  const hasAlerts = useFeature('alerts')

  useEffect(() => {
    document.title = title ? `${title} – ${texts.brand}` : texts.brand
  }, [title])

  return (
    <header className={classes.head}>
      <IconButton
        ref={toggle}
        label={sidebar.opened ? texts.closeMenu : texts.openMenu}
        aria-expanded={sidebar.opened}
        aria-controls={sidebarId}
        onClick={sidebar.toggle}
      >
        <MenuIcon />
      </IconButton>
      {/* Screen readers announce the page that a link has opened. */}
      <h1 className={classes.title} aria-live="polite">
        {title}
      </h1>
      <Finder admin={admin} russian={russian} />
      {hasAlerts && (
        <Suspense fallback={<span className={classes.alerts} />}>
          <AlertsLink />
        </Suspense>
      )}
      <ThemeToggle />
      <ProfileMenu user={user} admin={admin} />
    </header>
  )
}

/** The footer. Its links have no targets (specification, section 2), so they are not focusable. */
function Footer() {
  const { terms, privacy, contacts } = texts.footer
  const year = getToday(useSettings().time_zone).slice(0, 4)
  return (
    <footer className={classes.foot}>
      {[terms, privacy, contacts].map((label) => (
        // oxlint-disable-next-line jsx-a11y/anchor-is-valid -- a link without a target is a placeholder
        <a key={label} role="link" aria-disabled="true">
          {label}
        </a>
      ))}
      <span className={classes.copyright}>{texts.copyright({ year })}</span>
    </footer>
  )
}
