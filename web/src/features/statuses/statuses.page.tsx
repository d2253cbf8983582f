import { statuses } from '@karvon/contract/statuses/statuses.ts'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'
import { RecountBadge } from './recount-badge.tsx'

/** Milliseconds between two reloads while leads are being moved to the column of a new type. */
const recountInterval = 2000

export const StatusesPage = resourcePage(statuses, {
  filters: { type_id: anyTexts.types, is_active: anyTexts.state },
  cells: {
    type_id: ({ recount }, defaultCell) => (
      <span>
        {defaultCell}
        <RecountBadge recount={recount ?? null} />
      </span>
    ),
  },
  refresh: ({ state: { data } }) =>
    data?.items.some(({ recount }) => (recount ?? null) !== null) === true && recountInterval,
})
