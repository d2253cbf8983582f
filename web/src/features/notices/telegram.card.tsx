import { useEffect, useRef } from 'react'
import type { TelegramLink } from '@karvon/contract/notices/notices.ts'
import { Badge } from '../../components/display/badge.tsx'
import { Card } from '../../components/display/card.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { QueryContent } from '../../resources/query-content.tsx'
import { TelegramChoices } from './telegram.choices.tsx'
import { TelegramCode } from './telegram.code.tsx'
import { useTelegram } from './telegram.query.ts'
import { telegramTexts as texts } from './telegram.texts.ts'

/** The own chat with the bot: the link code, the notices to send, and unlinking. */
export function TelegramCard() {
  const query = useTelegram()
  const { data } = query
  useLinkedToast(data)
  return (
    <Card
      title={texts.title}
      wide
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
      <QueryContent query={query} loadFailed={texts.loadFailed} placeholder={<Skeleton height={66} />}>
        {(link) =>
          link.linked && link.code === null ? <TelegramChoices link={link} /> : <TelegramCode link={link} />
        }
      </QueryContent>
    </Card>
  )
}

/** Shows a toast when the bot has linked the chat. */
function useLinkedToast(link: TelegramLink | undefined): void {
  const toasts = useToasts()
  const wasWaiting = useRef(false)
  const isLinked = link?.linked === true
  const isWaiting = link !== undefined && link.code !== null
  useEffect(() => {
    if (wasWaiting.current && isLinked && !isWaiting) toasts.show({ title: texts.done })
    wasWaiting.current = isWaiting
  }, [isLinked, isWaiting, toasts])
}
