import { Suspense } from 'react'
import { users } from '@karvon/contract/users/users.ts'
import { lazyOptional } from '../../components/lazy-optional.ts'
import { WithFeature } from '../../resources/feature.tsx'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'
import { getSession } from '../../lib/session.store.ts'
import { UserActivationButton } from './user-activation.tsx'
import { ActiveBadge } from './users.active.tsx'
import { useUsersBulk } from './users.bulk.ts'
import { usersTexts as texts } from './users.texts.ts'

// Few people have a second factor, and the page is close to the size limit of a first visit.
const SecondFactorOff = lazyOptional(async () => (await import('./second-factor-off.tsx')).SecondFactorOff)

export const UsersPage = resourcePage(users, {
  filters: { role_id: anyTexts.roles, is_active: anyTexts.state },
  cells: { is_active: (row) => <ActiveBadge user={row} /> },
  emptyText: texts.empty,
  useBulk: useUsersBulk,
  actions: (row, close) => (
    <>
      {row.second_factor && row.id !== getSession()?.user?.id && (
        <WithFeature feature="second_factor">
          <Suspense>
            <SecondFactorOff user={row} onDone={close} />
          </Suspense>
        </WithFeature>
      )}
      {row.waiting && <UserActivationButton user={row} onDone={close} isRejection />}
      <UserActivationButton user={row} onDone={close} />
    </>
  ),
})
