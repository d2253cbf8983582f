import { users } from '@karvon/contract/users/users.ts'
import { anyTexts as any } from '../kit/list-filters.texts.ts'
import { resourcePage } from '../kit/resource-page.tsx'
import { SecondFactorOff } from './second-factor-off.tsx'
import { UserSwitch } from './user-switch.tsx'
import { ActiveBadge } from './users.active.tsx'
import { usersTexts as texts } from './users.texts.ts'

// The specification's bulk buttons only log and do nothing.
const bulk = [texts.activate, texts.deactivate].map((label) => ({
  label,
  // oxlint-disable-next-line no-console -- logging is what they do
  onRun: (ids: string[]) => console.log(label, ids),
}))

export const UsersPage = resourcePage(users, {
  filters: { role_id: any.roles, is_active: any.state },
  cells: { is_active: (row) => <ActiveBadge user={row} /> },
  emptyText: texts.empty,
  bulk,
  actions: (row, close) => (
    <>
      {row.second_factor && <SecondFactorOff user={row} onDone={close} />}
      <UserSwitch user={row} onDone={close} />
    </>
  ),
})
