import { roleSourceAccess } from '@karvon/contract/role-source-access/role-source-access.ts'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'

export const RoleSourceAccessPage = resourcePage(roleSourceAccess, {
  filters: { role_id: anyTexts.roles, source_id: anyTexts.sources },
})
