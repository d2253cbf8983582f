import type { Received } from '@karvon/contract/lib/received.ts'
import { roles, type RoleSource } from '@karvon/contract/roles/roles.ts'
import type { FormValues } from '../../components/form/form.rules.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

/** A source as a role's row lists it: `id` where an API host has no `source_id`. */
const sourceOf = (source: Received<RoleSource>) => String(source.source_id ?? source.id ?? '')

export const RolesPage = resourcePage(roles, {
  hidden: ['type'],
  // Not answered is not the same as none: what is not known starts empty and is not sent.
  initial: ({ sources }): FormValues =>
    sources ? { source_ids: sources.map(sourceOf).filter(Boolean) } : {},
})
