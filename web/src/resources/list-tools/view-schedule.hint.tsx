import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getTelegram } from '@karvon/contract/notices/notices.ts'
import type { ScheduleChannel } from '@karvon/contract/saved-views/saved-views.schedule.ts'
import fieldClasses from '../../components/fields/field.module.css'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSession } from '../../lib/session.store.ts'
import { scheduleTexts as texts } from './view-schedule.texts.ts'

/** Says that the person has no chat or address, so that nothing can be sent on the chosen channel. */
export function ReceiverHint({ channel }: { channel: ScheduleChannel | undefined }) {
  const { data } = useQuery({
    queryKey: queryKeys.telegramLink,
    queryFn: ({ signal }) => send(getTelegram, { signal }),
    enabled: channel === 'telegram',
  })
  const email = useSession()?.user?.email
  const isMissing = channel === 'telegram' ? data?.linked === false : channel === 'mail' && email === ''
  return (
    <div role="status">
      {isMissing && (
        <p className={fieldClasses.warning}>
          {channel === 'telegram' ? texts.noChat : texts.noAddress} <Link to="/profile">{texts.profile}</Link>
        </p>
      )}
    </div>
  )
}
