import { roles } from '@karvon/contract/roles/roles.ts'
import { resourcePage } from '../kit/resource-page.tsx'

/** A source as a role's row lists it: `id` where an API host has no `source_id`. */
const sourceOf = (source: { id: number; source_id?: number }) => String(source.source_id ?? source.id)

export const RolesPage = resourcePage(roles, {
  hidden: ['type'],
  initial: (row) => ({ source_ids: row.sources.map(sourceOf) }),
})
