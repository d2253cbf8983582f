import { useQueryClient } from '@tanstack/react-query'
import { replayPostback, type Postback } from '@karvon/contract/postbacks/postbacks.ts'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { postbackTexts as texts } from './postbacks.texts.ts'

type ReplayButtonProps = {
  postback: Postback
  /** Makes the button as low as a table row. */
  inRow?: boolean
  onReplay?: (updated: Postback) => void
}

/** Processes a postback again after its cause was fixed. */
export function ReplayButton({ postback, inRow = false, onReplay }: ReplayButtonProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  return (
    <ActionButton
      label={texts.replay}
      loadingText={texts.replaying}
      failureText={texts.replayFailed}
      name={postback.external_id ?? postback.id}
      icon={<RefreshIcon size={15} />}
      inRow={inRow}
      run={() => send(replayPostback, { params: { id: postback.id } })}
      onSuccess={async (updatedPostback) => {
        onReplay?.(updatedPostback)
        const isRefused = updatedPostback.outcome === 'refused'
        toasts.show({
          title: texts.replayed({ outcome: texts.outcomes[updatedPostback.outcome].toLowerCase() }),
          ...(updatedPostback.detail !== null && { text: updatedPostback.detail }),
          ...(isRefused && { tone: 'danger' }),
        })
        await Promise.all(
          [queryKeys.postbacks, queryKeys.leads, queryKeys.reports].map((queryKey) =>
            client.invalidateQueries({ queryKey }),
          ),
        )
      }}
    />
  )
}
