import { cancelWithdrawal, type Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import { send } from '../../lib/http.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { useWithdrawalChange } from './withdrawal-change.hook.ts'
import { WithdrawalFacts } from './withdrawal-facts.tsx'
import { decisionTexts as texts, withdrawalTexts } from './withdrawals.texts.ts'

type OwnWithdrawalProps = {
  withdrawal: Withdrawal | null
  /** Shows the withdrawal after the person cancelled it. */
  onCancel: (updated: Withdrawal) => void
  onClose: () => void
}

/** An own withdrawal. An open request can be cancelled. */
export function OwnWithdrawal({ withdrawal, onCancel, onClose }: OwnWithdrawalProps) {
  return (
    <Modal
      opened={withdrawal !== null}
      title={withdrawal ? withdrawalTexts.one({ id: withdrawal.id }) : ''}
      onClose={onClose}
      footer={
        withdrawal?.status === 'requested' ? (
          <CancelButton withdrawal={withdrawal} onCancel={onCancel} />
        ) : undefined
      }
    >
      {withdrawal && <WithdrawalFacts scope="own" withdrawal={withdrawal} />}
    </Modal>
  )
}

type CancelButtonProps = { withdrawal: Withdrawal; onCancel: (updated: Withdrawal) => void }

function CancelButton({ withdrawal: { id, amount, currency }, onCancel }: CancelButtonProps) {
  const reportChange = useWithdrawalChange()
  return (
    <ActionButton
      label={texts.cancel}
      loadingText={withdrawalTexts.changing}
      failureText={withdrawalTexts.changeFailed}
      question={{ text: texts.confirmCancel({ amount: formatAmount(amount, currency) }) }}
      run={() => send(cancelWithdrawal, { params: { id } })}
      onSuccess={async (updatedWithdrawal) => {
        onCancel(updatedWithdrawal)
        await reportChange(texts.cancelled)
      }}
    />
  )
}
