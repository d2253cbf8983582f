import { offers } from '@karvon/contract/offers/offers.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import { missingValue } from '../../lib/format/missing.ts'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

// Admins name the statuses. These names have a colour, any other is neutral.
const tones = new Map<unknown, Tone>([
  ['Active', 'ok'],
  ['Paused', 'wait'],
  ['Draft', 'work'],
])

export const OffersPage = resourcePage(offers, {
  filters: { source_id: anyTexts.sources, status_id: anyTexts.statuses },
  cells: {
    status_id: (_, name) =>
      name === missingValue ? name : <Badge tone={tones.get(name) ?? 'neutral'}>{name}</Badge>,
  },
})
