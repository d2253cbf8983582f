import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Call } from '@karvon/contract/lib/call.ts'
import { Button } from '../components/actions/button.tsx'
import { RefreshIcon } from '../components/actions/icons.tsx'
import { useDialogs } from '../components/overlay/dialogs.tsx'
import { useToasts } from '../components/overlay/toasts.tsx'
import classes from '../lib/cells.module.css'
import { reasonOf, send } from '../lib/http.ts'
import { useKeptFocus } from '../components/kept-focus.hook.ts'

type RetryButtonProps = {
  call: Call
  id: number
  /** What is sent; the rows of a list differ by it. */
  name: string
  /** Where the list is kept. */
  list: string
  texts: { retry: string; retrying: string; retried: string; retryFailed: string }
}

/** Puts a row of a queue to Telegram first, a refused one once more. */
export function RetryButton({ call, id, name, list, texts }: RetryButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(call, { params: { id } }),
    onSuccess: async () => {
      toasts.show({ title: texts.retried, text: name })
      await client.invalidateQueries({ queryKey: [list] })
    },
    onError: (error) => dialogs.alert(texts.retryFailed, reasonOf(error)),
  })
  const button = useKeptFocus(isPending)
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
