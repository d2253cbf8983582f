import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { removeSecondFactor } from '@karvon/contract/auth/second-factor.ts'
import { Button } from '../../components/actions/button.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { getErrorMessage, send } from '../../lib/http.ts'
import { usersTexts as texts } from './users.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const getUserName = ({ id, username }: ReceivedRow<{ username: string }>) => username ?? `#${id}`

/**
 * Removes the second factor of a person who lost the app and the recovery codes. The password alone then
 * signs in.
 */
export function SecondFactorOff({
  user,
  onDone,
}: {
  user: ReceivedRow<{ username: string }>
  onDone: () => void
}) {
  const client = useQueryClient()
  const dialogs = useDialogs()
  const toasts = useToasts()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(removeSecondFactor, { params: { id: user.id } }),
    onSuccess: async () => {
      toasts.show({ title: texts.secondFactorIsOff, text: getUserName(user) })
      onDone()
      await client.invalidateQueries({ queryKey: queryKeys.resources })
    },
    onError: (error) => dialogs.alert(texts.secondFactorFailed, getErrorMessage(error)),
  })
  const confirmAndRemove = async () => {
    const options = { danger: true, confirmLabel: texts.secondFactorOff, reason: texts.secondFactorReason }
    if (await dialogs.confirm(texts.secondFactorConfirm({ who: getUserName(user) }), options)) mutate()
  }
  return (
    <Button loading={isPending} onClick={() => void confirmAndRemove()}>
      {texts.secondFactorOff}
    </Button>
  )
}
