import { offers } from '@karvon/contract/offers/offers.ts'
import { Badge, type Tone } from '../ui/display/badge.tsx'
import { resourcePage } from '../kit/resource-page.tsx'

// Statuses are named by the desk's people; these names have a colour, any other is neutral.
const tones = new Map<unknown, Tone>([
  ['Active', 'ok'],
  ['Paused', 'wait'],
  ['Draft', 'work'],
])

export const OffersPage = resourcePage(offers, {
  filters: { source_id: 'All sources', status_id: 'All statuses' },
  cells: { status_id: (_, name) => <Badge tone={tones.get(name) ?? 'neutral'}>{name}</Badge> },
})
