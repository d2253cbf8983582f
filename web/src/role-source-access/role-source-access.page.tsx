import { roleSourceAccess } from '@karvon/contract/role-source-access/role-source-access.ts'
import { anyTexts as any } from '../kit/list-filters.texts.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const RoleSourceAccessPage = resourcePage(roleSourceAccess, {
  filters: { role_id: any.roles, source_id: any.sources },
})
