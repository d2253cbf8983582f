import { useEffect, useRef } from 'react'
import type { TelegramLink } from '@karvon/contract/notices/notices.ts'
import { Badge } from '../../components/display/badge.tsx'
import { Card } from '../../components/display/card.tsx'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { reasonOf } from '../../lib/http.ts'
import { TelegramChoices } from './telegram.choices.tsx'
import { TelegramCode } from './telegram.code.tsx'
import classes from './telegram.module.css'
import { useTelegram } from './telegram.query.ts'
import { telegramTexts as texts } from './telegram.texts.ts'

/** One's own chat with the bot: linked by a code, what is told there, unlinked. */
export function TelegramCard() {
  const { data, error, isFetching, refetch } = useTelegram()
  useSaidOnceLinked(data)
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
        (data.linked && data.code === null ? <TelegramChoices of={data} /> : <TelegramCode of={data} />)}
      {!data && error && !isFetching && (
        <ErrorState
          failure={{ message: texts.loadFailed, reason: reasonOf(error) }}
          onRetry={() => void refetch()}
        />
      )}
      {!data && isFetching && <Skeleton height={66} />}
    </Card>
  )
}

/** The bot answers in its own chat: here too it is said. */
function useSaidOnceLinked(link: TelegramLink | undefined): void {
  const toasts = useToasts()
  const waited = useRef(false)
  const linked = link?.linked === true
  const awaited = link !== undefined && link.code !== null
  useEffect(() => {
    if (waited.current && linked && !awaited) toasts.show({ title: texts.done })
    waited.current = awaited
  }, [linked, awaited, toasts])
}
