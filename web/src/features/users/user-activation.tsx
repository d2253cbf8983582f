import { useQueryClient } from '@tanstack/react-query'
import { activateUser, deactivateUser } from '@karvon/contract/users/users.ts'
import { send } from '../../lib/http.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { isActiveUser, type ActiveState } from './users.active.tsx'
import { usersTexts as texts } from './users.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

type UserActivationButtonProps = {
  user: ActiveState & { id: number }
  onDone: () => void
  /** Rejects an account that waits for an admin: always deactivates. */
  isRejection?: boolean
}

/** Activates or deactivates one person. */
export function UserActivationButton({ user, onDone, isRejection = false }: UserActivationButtonProps) {
  const client = useQueryClient()
  const isActive = isRejection || isActiveUser(user)
  return (
    <ActionButton
      label={isRejection ? texts.reject : isActive ? texts.deactivate : texts.activate}
      tone={isActive ? 'danger' : 'plain'}
      failureText={isActive ? texts.deactivateFailed : texts.activateFailed}
      run={() => send(isActive ? deactivateUser : activateUser, { params: { id: user.id } })}
      onSuccess={async () => {
        onDone()
        await client.invalidateQueries({ queryKey: queryKeys.resources })
      }}
    />
  )
}
