import { useMutation, useQueryClient } from '@tanstack/react-query'
import { activateUser, deactivateUser } from '@karvon/contract/users/users.ts'
import { Button } from '../../components/actions/button.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { getErrorMessage, send } from '../../lib/http.ts'
import { isActiveUser, type ActiveState } from './users.active.tsx'
import { usersTexts as texts } from './users.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

type UserActivationButtonProps = {
  user: ActiveState & { id: number }
  onDone: () => void
  /** Always deactivates: the button that rejects a waiting account. */
  turnDown?: boolean
}

/** Activates or deactivates one person. */
export function UserActivationButton({ user, onDone, turnDown = false }: UserActivationButtonProps) {
  const client = useQueryClient()
  const dialogs = useDialogs()
  const isActive = turnDown || isActiveUser(user)
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(isActive ? deactivateUser : activateUser, { params: { id: user.id } }),
    onSuccess: async () => {
      onDone()
      await client.invalidateQueries({ queryKey: queryKeys.resources })
    },
    onError: (error) =>
      dialogs.alert(isActive ? texts.deactivateFailed : texts.activateFailed, getErrorMessage(error)),
  })
  return (
    <Button tone={isActive ? 'danger' : 'plain'} loading={isPending} onClick={() => mutate()}>
      {turnDown ? texts.turnDown : isActive ? texts.deactivate : texts.activate}
    </Button>
  )
}
