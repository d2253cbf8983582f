import { useMutation, useQueryClient } from '@tanstack/react-query'
import { activateUser, deactivateUser } from '@karvon/contract/users/users.ts'
import { Button } from '../../components/actions/button.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { reasonOf, send } from '../../lib/http.ts'
import { isActiveUser, type MaybeActive } from './users.active.tsx'
import { usersTexts as texts } from './users.texts.ts'

type UserSwitchProps = {
  user: MaybeActive & { id: number }
  onDone: () => void
  /** Off, whatever they are: an account that waits is turned down so. */
  turnDown?: boolean
}

/** Lets one person sign in, or no more. */
export function UserSwitch({ user, onDone, turnDown = false }: UserSwitchProps) {
  const client = useQueryClient()
  const dialogs = useDialogs()
  const active = turnDown || isActiveUser(user)
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(active ? deactivateUser : activateUser, { params: { id: user.id } }),
    onSuccess: async () => {
      onDone()
      await client.invalidateQueries({ queryKey: ['resource'] })
    },
    onError: (error) =>
      dialogs.alert(active ? texts.deactivateFailed : texts.activateFailed, reasonOf(error)),
  })
  return (
    <Button tone={active ? 'danger' : 'plain'} loading={isPending} onClick={() => mutate()}>
      {turnDown ? texts.turnDown : active ? texts.deactivate : texts.activate}
    </Button>
  )
}
