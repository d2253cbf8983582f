import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { removeSecondFactor } from '@karvon/contract/auth/second-factor.ts'
import { Button } from '../../components/actions/button.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { reasonOf, send } from '../../lib/http.ts'
import { usersTexts as texts } from './users.texts.ts'

const nameOf = ({ id, username }: ReceivedRow<{ username: string }>) => username ?? `#${id}`

/** For who lost both the app and the recovery codes: the password alone lets them in again. */
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
      toasts.show({ title: texts.secondFactorIsOff, text: nameOf(user) })
      onDone()
      await client.invalidateQueries({ queryKey: ['resource'] })
    },
    onError: (error) => dialogs.alert(texts.secondFactorFailed, reasonOf(error)),
  })
  const ask = async () => {
    const options = { danger: true, confirmLabel: texts.secondFactorOff, reason: texts.secondFactorReason }
    if (await dialogs.confirm(texts.secondFactorConfirm(nameOf(user)), options)) mutate()
  }
  return (
    <Button loading={isPending} onClick={() => void ask()}>
      {texts.secondFactorOff}
    </Button>
  )
}
