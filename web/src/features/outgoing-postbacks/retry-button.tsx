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
import { reasonOf, send } from '../../lib/http.ts'
import { useKeptFocus } from '../../components/kept-focus.hook.ts'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'

/** What was sent, or had been sent before, is not sent once more. */
export const canRetry = ({ status }: OutgoingPostback): boolean => status === 'queued' || status === 'refused'

type RetryButtonProps = {
  of: OutgoingPostback
  /** As low as a row of a table. */
  inRow?: boolean
  onRetried?: (now: OutgoingPostback) => void
}

/** Sends a queued postback now, or a refused one once more. */
export function RetryButton({ of, inRow = false, onRetried }: RetryButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(retryOutgoingPostback, { params: { id: of.id } }),
    onSuccess: async (now) => {
      onRetried?.(now)
      toasts.show({
        title: texts.retried(texts.statuses[now.status] ?? now.status),
        ...(now.last_error !== null && now.status !== 'sent' && { text: now.last_error }),
        ...(now.status === 'refused' && { tone: 'danger' }),
      })
      await client.invalidateQueries({ queryKey: ['outgoing-postbacks'] })
    },
    onError: (error) => dialogs.alert(texts.retryFailed, reasonOf(error)),
  })
  const button = useKeptFocus(isPending)
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
      <span className="visually-hidden">{of.lead.external_id}</span>
    </Button>
  )
}
