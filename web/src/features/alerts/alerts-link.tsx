import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { countUnreadAlerts } from '@karvon/contract/alerts/unread.ts'
import { BroadcastIcon } from '../../components/actions/icons.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import { send } from '../../lib/http.ts'
import { canReload } from '../../lib/list.query.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import classes from './alerts-link.module.css'
import { alertsLinkTexts as texts } from './alerts-link.texts.ts'

/** Milliseconds between two counts while the page is visible. A hidden page does not ask. */
const countIntervalMs = 60_000
const maxShown = 99

/** The link to the alerts with the number of unread ones. */
export function AlertsLink() {
  const { data } = useQuery({
    queryKey: queryKeys.unreadAlerts,
    queryFn: ({ signal }) => send(countUnreadAlerts, { signal }),
    staleTime: countIntervalMs / 2,
    refetchInterval: (query) => canReload(query) && countIntervalMs,
    refetchOnWindowFocus: true,
  })
  const count = data?.unread ?? 0
  const label = count === 0 ? texts.label : texts.unread({ count })
  return (
    <Link to="/alerts" className={classes.link} aria-label={label} title={label}>
      <BroadcastIcon />
      {count > 0 && (
        <span className={classes.count} aria-hidden="true">
          {count > maxShown ? `${maxShown}+` : formatNumber(count)}
        </span>
      )}
    </Link>
  )
}
