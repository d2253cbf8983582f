import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getTelegram, type TelegramLink } from '@karvon/contract/notices/notices.ts'
import type { ScheduleChannel } from '@karvon/contract/saved-views/saved-views.schedule.ts'
import fieldClasses from '../../components/fields/field.module.css'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { useSession } from '../../lib/session.store.ts'
import { useSettings } from '../../lib/settings.store.ts'
import type { ScheduleTexts } from './panel-texts.ts'

type ReceiverHintProps = { channel: ScheduleChannel | undefined; texts: ScheduleTexts }

/** Says that nothing arrives on the chosen channel: there is no chat or address, or the chat gets no notices. */
export function ReceiverHint({ channel, texts }: ReceiverHintProps) {
  const { data } = useQuery({
    queryKey: queryKeys.telegramLink,
    queryFn: ({ signal }) => send(getTelegram, { signal }),
    enabled: channel === 'telegram',
  })
  const email = useSession()?.user?.email
  const { time_zone: zone } = useSettings()
  const hint =
    channel === 'telegram'
      ? data && describeChat(data, { zone, texts })
      : channel === 'mail' && email === '' && texts.noAddress
  return (
    <div role="status">
      {hint && (
        <p className={fieldClasses.warning}>
          {hint} <Link to="/profile">{texts.profile}</Link>
        </p>
      )}
    </div>
  )
}

/** Why the linked chat gets nothing; null if it does. */
function describeChat(
  { linked, muted, muted_until: until }: TelegramLink,
  { zone, texts }: { zone: string; texts: ScheduleTexts },
): string | null {
  if (!linked) return texts.noChat
  if (!muted) return null
  return until === null ? texts.muted : texts.mutedUntil({ time: formatDateTime(until, zone) })
}
