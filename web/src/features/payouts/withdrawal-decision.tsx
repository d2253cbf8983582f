import { useRef, useState } from 'react'
import { approveWithdrawal, type Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { Button } from '../../components/actions/button.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import { send } from '../../lib/http.ts'
import { findDraft } from '../../lib/session.draft.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import classes from './payouts.module.css'
import { useWithdrawalChange } from './withdrawal-change.hook.ts'
import { DecisionForm, type DecisionWithForm } from './withdrawal-decision-form.tsx'
import { WithdrawalFacts } from './withdrawal-facts.tsx'
import { decisionTexts as texts, withdrawalTexts } from './withdrawals.texts.ts'

type WithdrawalDecisionProps = {
  withdrawal: Withdrawal | null
  /** Shows the withdrawal as it is after a decision. */
  onDecide: (updated: Withdrawal) => void
  onClose: () => void
}

/** A withdrawal with the decisions that an admin can make on it. */
export function WithdrawalDecision({ withdrawal, onDecide, onClose }: WithdrawalDecisionProps) {
  return (
    <Modal
      opened={withdrawal !== null}
      title={withdrawal ? withdrawalTexts.one({ id: withdrawal.id }) : ''}
      onClose={onClose}
    >
      {withdrawal && <DecisionSteps key={withdrawal.id} withdrawal={withdrawal} onDecide={onDecide} />}
    </Modal>
  )
}

type Step = 'facts' | DecisionWithForm

/** The decision whose form was open when the session ended. */
function restoreStep(withdrawal: Withdrawal): Step {
  const draft = findDraft({ name: 'withdrawals', target: withdrawal })
  if (draft === undefined) return 'facts'
  return 'reason' in draft.values ? 'decline' : 'pay'
}

type DecisionStepsProps = { withdrawal: Withdrawal; onDecide: (updated: Withdrawal) => void }

function DecisionSteps({ withdrawal, onDecide }: DecisionStepsProps) {
  const [step, setStep] = useState(() => restoreStep(withdrawal))
  const box = useRef<HTMLDivElement>(null)
  const show = (next: Step) => {
    // The focused button disappears with its step.
    box.current?.closest<HTMLElement>('[role=dialog]')?.focus()
    setStep(next)
  }
  return (
    <div ref={box} className={classes.steps}>
      <WithdrawalFacts scope="all" withdrawal={withdrawal} />
      {step === 'facts' ? (
        <DecisionButtons withdrawal={withdrawal} onDecide={onDecide} onShow={show} />
      ) : (
        <DecisionForm
          step={step}
          withdrawal={withdrawal}
          onDecide={(updatedWithdrawal) => {
            show('facts')
            onDecide(updatedWithdrawal)
          }}
          onCancel={() => show('facts')}
        />
      )}
    </div>
  )
}

type DecisionButtonsProps = DecisionStepsProps & { onShow: (step: Step) => void }

function DecisionButtons({ withdrawal, onDecide, onShow }: DecisionButtonsProps) {
  const { id, status, amount, currency, user } = withdrawal
  const dialogs = useDialogs()
  const reportChange = useWithdrawalChange()
  return (
    <div className={classes.decisions}>
      {(status === 'requested' || status === 'approved') && (
        <Button onClick={() => onShow('decline')}>{texts.decline}</Button>
      )}
      {status === 'requested' && (
        <ActionButton
          tone="primary"
          label={texts.approve}
          loadingText={withdrawalTexts.changing}
          failureText={withdrawalTexts.changeFailed}
          confirm={() =>
            dialogs.confirm(
              texts.confirmApprove({ amount: formatAmount(amount, currency), who: user.name }),
              { confirmLabel: texts.approve },
            )
          }
          run={() => send(approveWithdrawal, { params: { id } })}
          onSuccess={async (updatedWithdrawal) => {
            onDecide(updatedWithdrawal)
            await reportChange(texts.approved)
          }}
        />
      )}
      {status === 'approved' && (
        <Button tone="primary" onClick={() => onShow('pay')}>
          {texts.pay}
        </Button>
      )}
    </div>
  )
}
