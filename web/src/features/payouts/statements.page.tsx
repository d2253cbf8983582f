import { lazy } from 'react'
import { listOwnStatements, listStatements } from '@karvon/contract/payouts/statements.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { ClosePeriodButton } from './close-period-button.tsx'
import { createStatementColumns } from './statements.columns.tsx'
import { statementTexts as texts } from './statements.texts.ts'

const StatementDetail = lazy(async () => ({
  default: (await import('./statement-detail.tsx')).StatementDetail,
}))

const sharedOptions = {
  name: 'statements',
  pageSize: 20,
  rowKey: ({ id }: { id: number }) => String(id),
  rowLabel: ({ id }: { id: number }) => texts.one({ id }),
}

/** The closed periods of all people. */
export const StatementsPage = logPage({
  ...sharedOptions,
  call: listStatements,
  key: queryKeys.statements,
  texts,
  filters: [{ name: 'user_id', optionSource: resourceOptions('users'), ...texts.filters.user }],
  createColumns: createStatementColumns('all'),
  Actions: ClosePeriodButton,
  renderDetail: (openedStatement, setOpenedStatement) => (
    <StatementDetail scope="all" statement={openedStatement} onClose={() => setOpenedStatement(null)} />
  ),
})

/** The person's closed periods. */
export const OwnStatementsPage = logPage({
  ...sharedOptions,
  call: listOwnStatements,
  key: queryKeys.ownStatements,
  texts: { title: texts.title, loadFailed: texts.loadFailed, empty: texts.empty },
  filters: [],
  createColumns: createStatementColumns('own'),
  renderDetail: (openedStatement, setOpenedStatement) => (
    <StatementDetail scope="own" statement={openedStatement} onClose={() => setOpenedStatement(null)} />
  ),
})
