import { missingValue } from '../../lib/format/missing.ts'
import { users } from '@karvon/contract/users/users.ts'
import { getStateLabel } from '../../resources/resource.labels.ts'
import { Badge } from '../../components/display/badge.tsx'
import { usersTexts } from './users.texts.ts'

/** A person's state. A host may use either spelling. */
export interface ActiveState {
  readonly is_active?: boolean | null | undefined
  readonly isActive?: boolean | null | undefined
  readonly waiting?: boolean | null | undefined
}

/** Whether a person may sign in. True where the host does not say. */
export const isActiveUser = (user: ActiveState): boolean => user.is_active ?? user.isActive ?? true

export function ActiveBadge({ user }: { user: ActiveState }) {
  if ((user.is_active ?? user.isActive ?? null) === null) return missingValue
  const active = isActiveUser(user)
  const { label } = users.fields.is_active ?? { label: '' }
  // The account is registered and waits for an admin.
  if (!active && user.waiting) return <Badge tone="wait">{usersTexts.waiting}</Badge>
  return <Badge tone={active ? 'ok' : 'neutral'}>{getStateLabel(label, active)}</Badge>
}
