import { useRef, useState } from 'react'
import { refuseWithdrawal } from '@karvon/contract/payouts/payment-registries.ts'
import { approveWithdrawal, type Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { Button } from '../../components/actions/button.tsx'
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
  /** Shows the withdrawal after a decision. */
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
  const { id, status } = withdrawal
  return (
    <div className={classes.decisions}>
      {(status === 'requested' || status === 'approved') && (
        <Button onClick={() => onShow('decline')}>{texts.decline}</Button>
      )}
      {status === 'requested' && (
        <DecisionButton
          withdrawal={withdrawal}
          label={texts.approve}
          question={texts.confirmApprove}
          run={() => send(approveWithdrawal, { params: { id } })}
          onSuccess={onDecide}
          doneText={texts.approved}
          isPrimary
        />
      )}
      {status === 'sent' && (
        <DecisionButton
          withdrawal={withdrawal}
          label={texts.refuse}
          question={texts.confirmRefuse}
          run={() => send(refuseWithdrawal, { params: { id } })}
          onSuccess={onDecide}
          doneText={texts.refused}
        />
      )}
      {(status === 'approved' || status === 'sent') && (
        <Button tone="primary" onClick={() => onShow('pay')}>
          {texts.pay}
        </Button>
      )}
    </div>
  )
}

type DecisionButtonProps = {
  withdrawal: Withdrawal
  label: string
  question: (values: { amount: string; who: string }) => string
  run: () => Promise<Withdrawal>
  onSuccess: (updated: Withdrawal) => void
  doneText: string
  isPrimary?: boolean
}

/** A decision that needs only a confirmation. */
function DecisionButton(props: DecisionButtonProps) {
  const { withdrawal, label, question, run, onSuccess, doneText, isPrimary = false } = props
  const { amount, currency, user } = withdrawal
  const reportChange = useWithdrawalChange()
  return (
    <ActionButton
      {...(isPrimary && { tone: 'primary' })}
      label={label}
      loadingText={withdrawalTexts.changing}
      failureText={withdrawalTexts.changeFailed}
      question={{ text: question({ amount: formatAmount(amount, currency), who: user.name }) }}
      run={run}
      onSuccess={async (updatedWithdrawal) => {
        onSuccess(updatedWithdrawal)
        await reportChange(doneText)
      }}
    />
  )
}
