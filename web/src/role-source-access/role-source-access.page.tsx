import { roleSourceAccess } from '@karvon/contract/role-source-access/role-source-access.ts'
import { resourcePage } from '../kit/resource-page.tsx'

export const RoleSourceAccessPage = resourcePage(roleSourceAccess, {
  filters: { role_id: 'All roles', source_id: 'All sources' },
})
