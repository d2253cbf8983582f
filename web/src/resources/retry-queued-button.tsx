import { useQueryClient } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { RefreshIcon } from '../components/actions/icons.tsx'
import { useToasts } from '../components/overlay/toasts.tsx'
import type { QueryKey } from '../lib/query-keys.ts'
import { send } from '../lib/http.ts'
import { ActionButton } from './action-button.tsx'

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
  return (
    <ActionButton
      label={texts.retry}
      loadingText={texts.retrying}
      failureText={texts.retryFailed}
      name={name}
      icon={<RefreshIcon size={15} />}
      inRow
      run={() => send(call, { params: { id } })}
      onSuccess={async () => {
        toasts.show({ title: texts.retried, text: name })
        await client.invalidateQueries({ queryKey: listKey })
      }}
    />
  )
}
