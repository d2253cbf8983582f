import type { Received } from '@karvon/contract/lib/received.ts'
import type { StatusRecount } from '@karvon/contract/statuses/statuses.ts'
import { Badge } from '../../components/display/badge.tsx'
import classes from './statuses.module.css'
import { statusTexts as texts } from './statuses.texts.ts'

/** How many of the leads of a status the reports count by its new type. The empty badge keeps its place. */
export function RecountBadge({ recount }: { recount: Received<StatusRecount> | null }) {
  const share = (recount?.recounted ?? 0) / Math.max(recount?.leads ?? 0, 1)
  // Leads may leave the status meanwhile.
  const percent = Math.min(99, Math.floor(100 * share))
  return (
    <span className={classes.recount}>
      {recount && (
        <span title={texts.hint}>
          <Badge tone="work">{texts.recount({ percent })}</Badge>
        </span>
      )}
    </span>
  )
}
