import { useEffect, useRef } from 'react'
import type { TelegramLink } from '@karvon/contract/notices/notices.ts'
import { Badge } from '../../components/display/badge.tsx'
import { Card } from '../../components/display/card.tsx'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { getErrorMessage } from '../../lib/http.ts'
import { TelegramChoices } from './telegram.choices.tsx'
import { TelegramCode } from './telegram.code.tsx'
import classes from './telegram.module.css'
import { useTelegram } from './telegram.query.ts'
import { telegramTexts as texts } from './telegram.texts.ts'

/** The own chat with the bot: the link code, the notices to send, and unlinking. */
export function TelegramCard() {
  const { data, error, isFetching, refetch } = useTelegram()
  useLinkedToast(data)
  return (
    <Card
      title={texts.title}
      className={classes.card}
      aside={
        data && (
          <span role="status">
            <Badge tone={data.linked ? 'ok' : 'neutral'}>
              {data.linked ? texts.linked : texts.notLinked}
            </Badge>
          </span>
        )
      }
    >
      {data &&
        (data.linked && data.code === null ? <TelegramChoices link={data} /> : <TelegramCode link={data} />)}
      {!data && error && !isFetching && (
        <ErrorState
          failure={{ message: texts.loadFailed, reason: getErrorMessage(error) }}
          onRetry={() => void refetch()}
        />
      )}
      {!data && isFetching && <Skeleton height={66} />}
    </Card>
  )
}

/** Shows a toast when the bot has linked the chat. */
function useLinkedToast(link: TelegramLink | undefined): void {
  const toasts = useToasts()
  const wasWaiting = useRef(false)
  const linked = link?.linked === true
  const isWaiting = link !== undefined && link.code !== null
  useEffect(() => {
    if (wasWaiting.current && linked && !isWaiting) toasts.show({ title: texts.done })
    wasWaiting.current = isWaiting
  }, [linked, isWaiting, toasts])
}
