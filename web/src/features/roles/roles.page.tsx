import type { Received } from '@karvon/contract/lib/received.ts'
import { roles, type RoleSource } from '@karvon/contract/roles/roles.ts'
import type { FormValues } from '../../components/form/form.rules.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

/** The id of a source in a role's row. Some hosts call it `id` instead of `source_id`. */
const getSourceId = (source: Received<RoleSource>) => String(source.source_id ?? source.id ?? '')

export const RolesPage = resourcePage(roles, {
  hidden: ['type'],
  // Sources that were not answered are unknown, not empty. The field starts empty and is not sent.
  initial: ({ sources }): FormValues =>
    sources ? { source_ids: sources.map(getSourceId).filter(Boolean) } : {},
})
