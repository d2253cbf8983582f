import { useNavigate } from '@tanstack/react-router'
import { logout, putProfile } from '@karvon/contract/auth/auth.ts'
import { personLanguages } from '@karvon/contract/lib/language.ts'
import { ChartIcon, SignOutIcon, UserIcon, WalletIcon } from '../components/actions/icons.tsx'
import { Menu, type MenuItem } from '../components/actions/menu.tsx'
import { language, languages, pickLanguage } from '../lib/i18n/language.ts'
import { useDialogs } from '../components/overlay/dialogs.tsx'
import { send } from '../lib/http.ts'
import { httpTexts } from '../lib/http.texts.ts'
import { clearSession, type SessionUser } from '../lib/session.store.ts'
import { isAnnounced, useFeature } from '../lib/settings.store.ts'
import { allowLeaving, hasRunningTasks } from '../lib/task-list.ts'
import { appTexts as texts } from './app.texts.ts'
import classes from './shell.module.css'

/** The first letters of a name's first two words. */
function getInitials(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2)
  return words
    .map((word) => word.slice(0, /^[\uD800-\uDBFF]/.test(word) ? 2 : 1).toLocaleUpperCase())
    .join('')
}

const toPersonLanguage = (choice: string) =>
  personLanguages.find((personLanguage) => personLanguage === choice) ?? null

type ProfileMenuProps = { user: SessionUser | null; admin: boolean }

/** The signed-in person and the menu of their own pages and settings. */
export function ProfileMenu({ user, admin }: ProfileMenuProps) {
  const navigate = useNavigate()
  const dialogs = useDialogs()
  const hasMoney = useFeature('payouts')
  const name = user?.name || user?.username || texts.profile

  const signOut = () => {
    // Best effort, with the current token. The browser removes the session whatever the server answers.
    if (isAnnounced(logout.feature)) send(logout).catch(() => undefined)
    clearSession()
    void navigate({ to: '/login' })
  }
  // The page reloads, which ends running tasks, such as an upload.
  const changeLanguage = async (next: string) => {
    if (hasRunningTasks() && !(await dialogs.confirm(texts.stopsTask))) return
    const keepForPerson = async () => {
      // Best effort: notices and mails are in this language. The mix has no language for them.
      if (isAnnounced(putProfile.feature))
        await send(putProfile, { body: { language: toPersonLanguage(next) } }).catch(() => undefined)
      allowLeaving()
    }
    await pickLanguage(next, keepForPerson).catch(() => dialogs.alert(httpTexts.unreachable))
  }
  const link = (label: string, href: string, icon: MenuItem['icon']): MenuItem => ({
    label,
    icon,
    href,
    onSelect: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      void navigate({ to: href })
    },
  })

  return (
    <Menu
      label={texts.userMenu({ name })}
      className={classes.me ?? ''}
      head={
        <>
          <strong>{name}</strong>
          <br />
          <small>{user?.username}</small>
        </>
      }
      items={[
        link(texts.profile, '/profile', <UserIcon size={17} />),
        ...(hasMoney ? [link(texts.titles.money, '/money', <WalletIcon size={17} />)] : []),
        ...(admin ? [] : [link(texts.statistics, '/statistics', <ChartIcon size={17} />)]),
        {
          label: texts.language,
          choices: Object.entries(languages).map(([value, label]) => ({
            label,
            lang: value || 'ru',
            checked: value === language,
            onSelect: () => void changeLanguage(value),
          })),
        },
        { label: texts.signOut, icon: <SignOutIcon size={17} />, onSelect: signOut },
      ]}
    >
      <span className={classes.photo} aria-hidden="true">
        {getInitials(name)}
      </span>
      <span className={classes.who}>
        {name}
        <small>{user?.username}</small>
      </span>
    </Menu>
  )
}
