import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  retryOutgoingPostback,
  type OutgoingPostback,
} from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { Button } from '../../components/actions/button.tsx'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import classes from '../../lib/cells.module.css'
import { getErrorMessage, send } from '../../lib/http.ts'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

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
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(retryOutgoingPostback, { params: { id: postback.id } }),
    onSuccess: async (updated) => {
      onRetry?.(updated)
      toasts.show({
        title: texts.retried(texts.statuses[updated.status] ?? updated.status),
        ...(updated.last_error !== null && updated.status !== 'sent' && { text: updated.last_error }),
        ...(updated.status === 'refused' && { tone: 'danger' }),
      })
      await client.invalidateQueries({ queryKey: queryKeys.outgoingPostbacks })
    },
    onError: (error) => dialogs.alert(texts.retryFailed, getErrorMessage(error)),
  })
  const button = useFocusAfterBusy(isPending)
  return (
    <Button
      ref={button}
      {...(inRow && { className: classes.inRow })}
      icon={<RefreshIcon size={15} />}
      loading={isPending}
      loadingText={texts.retrying}
      onClick={() => mutate()}
    >
      {texts.retry}
      <span className="visually-hidden">{postback.lead.external_id}</span>
    </Button>
  )
}
