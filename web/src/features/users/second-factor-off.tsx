import { useQueryClient } from '@tanstack/react-query'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { removeSecondFactor } from '@karvon/contract/auth/second-factor.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { ActionButton } from '../../resources/action-button.tsx'
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
  const toasts = useToasts()
  return (
    <ActionButton
      label={texts.secondFactorOff}
      failureText={texts.secondFactorFailed}
      question={{
        text: texts.secondFactorConfirm({ who: getUserName(user) }),
        reason: texts.secondFactorReason,
        danger: true,
      }}
      run={() => send(removeSecondFactor, { params: { id: user.id } })}
      onSuccess={async () => {
        toasts.show({ title: texts.secondFactorIsOff, text: getUserName(user) })
        onDone()
        await client.invalidateQueries({ queryKey: queryKeys.resources })
      }}
    />
  )
}
