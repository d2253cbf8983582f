import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { Button } from '../components/actions/button.tsx'
import { RefreshIcon } from '../components/actions/icons.tsx'
import { useDialogs } from '../components/overlay/dialogs.tsx'
import { useToasts } from '../components/overlay/toasts.tsx'
import classes from '../lib/cells.module.css'
import type { QueryKey } from '../lib/query-keys.ts'
import { getErrorMessage, send } from '../lib/http.ts'
import { useFocusAfterBusy } from '../components/focus-after-busy.hook.ts'

type RetryQueuedButtonProps = {
  call: Call
  id: number
  /** The name of the row, for screen readers and the toast. */
  name: string
  /** The cache key of the list. */
  listKey: QueryKey
  texts: { retry: string; retrying: string; retried: string; retryFailed: string }
}

/** Sends a queued row to Telegram now, or a refused row again. */
export function RetryQueuedButton({ call, id, name, listKey, texts }: RetryQueuedButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(call, { params: { id } }),
    onSuccess: async () => {
      toasts.show({ title: texts.retried, text: name })
      await client.invalidateQueries({ queryKey: listKey })
    },
    onError: (error) => dialogs.alert(texts.retryFailed, getErrorMessage(error)),
  })
  const button = useFocusAfterBusy(isPending)
  return (
    <Button
      ref={button}
      className={classes.inRow}
      icon={<RefreshIcon size={15} />}
      loading={isPending}
      loadingText={texts.retrying}
      onClick={() => mutate()}
    >
      {texts.retry}
      <span className="visually-hidden">{name}</span>
    </Button>
  )
}
