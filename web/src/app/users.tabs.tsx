import { Link, useSearch } from '@tanstack/react-router'
import type { ListSearch } from '../lib/table-state.ts'
import { RoleSourceAccessPage } from '../features/role-source-access/role-source-access.page.tsx'
import { RolesPage } from '../features/roles/roles.page.tsx'
import { UsersPage } from '../features/users/users.page.tsx'
import { appTexts } from './app.texts.ts'
import { createTabPreload, lazyTab, TabbedPage } from './tabbed-page.tsx'

const { tabs, titles } = appTexts

const lazyTabs = {
  'source-credentials': lazyTab(
    async () =>
      (await import('../features/source-credentials/source-credentials.page.tsx')).SourceCredentialsPage,
  ),
}
export const preloadUsersTab = createTabPreload(lazyTabs)

/** The roles, or the sources that each role may see. */
function RolesTab() {
  const { view }: ListSearch = useSearch({ strict: false })
  const access = view === 'access'
  return (
    <>
      <p>
        <Link to="/users" search={access ? { tab: 'roles' } : { tab: 'roles', view: 'access' }}>
          {access ? tabs.backToRoles : tabs.sourceAccess}
        </Link>
      </p>
      {access ? <RoleSourceAccessPage /> : <RolesPage />}
    </>
  )
}

export function UsersTabs() {
  return (
    <TabbedPage
      label={titles.users}
      tabs={[
        { value: 'users', label: tabs.users, Page: UsersPage },
        { value: 'roles', label: tabs.roles, Page: RolesTab },
        { value: 'source-credentials', label: tabs.sourceCredentials, ...lazyTabs['source-credentials'] },
      ]}
    />
  )
}
