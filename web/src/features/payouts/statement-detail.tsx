import type { Statement } from '@karvon/contract/payouts/statements.ts'
import { Facts, Sums } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import type { MoneyScope } from './money.scope.ts'
import { createStatementFacts, createStatementSums } from './statements.columns.tsx'
import { statementTexts as texts } from './statements.texts.ts'

type StatementDetailProps = { scope: MoneyScope; statement: Statement | null; onClose: () => void }

/** A closed period with all its figures. */
export function StatementDetail({ scope, statement, onClose }: StatementDetailProps) {
  const { time_zone: zone } = useSettings()
  return (
    <Modal
      opened={statement !== null}
      title={statement ? texts.one({ id: statement.id }) : ''}
      onClose={onClose}
    >
      {statement && (
        <>
          <Facts facts={createStatementFacts(statement, { scope, zone })} />
          <Sums label={texts.sums} sums={createStatementSums(statement)} />
        </>
      )}
    </Modal>
  )
}
