import { useQueryClient } from '@tanstack/react-query'
import {
  retryOutgoingPostback,
  type OutgoingPostback,
} from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'

/** A sent postback is not sent again. */
export const canRetry = ({ status }: OutgoingPostback): boolean => status === 'queued' || status === 'refused'

type RetryPostbackButtonProps = {
  postback: OutgoingPostback
  /** Makes the button as low as a table row. */
  inRow?: boolean
  onRetry?: (updated: OutgoingPostback) => void
}

/** Sends a queued postback now, or a refused one again. */
export function RetryPostbackButton({ postback, inRow = false, onRetry }: RetryPostbackButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  return (
    <ActionButton
      label={texts.retry}
      loadingText={texts.retrying}
      failureText={texts.retryFailed}
      name={postback.lead.external_id}
      icon={<RefreshIcon size={15} />}
      inRow={inRow}
      run={() => send(retryOutgoingPostback, { params: { id: postback.id } })}
      onSuccess={async (updatedPostback) => {
        onRetry?.(updatedPostback)
        toasts.show({
          title: texts.retried({
            status: (texts.statuses[updatedPostback.status] ?? updatedPostback.status).toLowerCase(),
          }),
          ...(updatedPostback.last_error !== null &&
            updatedPostback.status !== 'sent' && { text: updatedPostback.last_error }),
          ...(updatedPostback.status === 'refused' && { tone: 'danger' }),
        })
        await client.invalidateQueries({ queryKey: queryKeys.outgoingPostbacks })
      }}
    />
  )
}
