import { useEffect, useRef, useState } from 'react'
import { maxLine, maxText } from '@karvon/contract/lib/limits.ts'
import {
  approveWithdrawal,
  declineWithdrawal,
  payWithdrawal,
  type Withdrawal,
} from '@karvon/contract/payouts/payouts.ts'
import { Button } from '../../components/actions/button.tsx'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { Form } from '../../components/form/form.tsx'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { getToday } from '../../lib/format/date-time.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import cells from '../../lib/cells.module.css'
import { send } from '../../lib/http.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import classes from './payouts.module.css'
import { useWithdrawalChange } from './withdrawal-change.hook.ts'
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

type Step = 'facts' | 'decline' | 'pay'
type DecisionStepsProps = { withdrawal: Withdrawal; onDecide: (updated: Withdrawal) => void }

function DecisionSteps({ withdrawal, onDecide }: DecisionStepsProps) {
  const [step, setStep] = useState<Step>('facts')
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
          id={withdrawal.id}
          onDecide={(updated) => {
            show('facts')
            onDecide(updated)
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
    <div className={cells.actions}>
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
          onSuccess={async (updated) => {
            onDecide(updated)
            await reportChange(texts.approved)
          }}
        />
      )}
      {status === 'approved' && (
        <Button tone="primary" onClick={() => onShow('pay')}>
          {texts.pay}
        </Button>
      )}
      {(status === 'requested' || status === 'approved') && (
        <Button onClick={() => onShow('decline')}>{texts.decline}</Button>
      )}
    </div>
  )
}

/** The form of each decision that needs more than a confirmation. */
const decisions = {
  decline: {
    label: texts.decline,
    done: texts.declined,
    fields: [
      {
        name: 'reason',
        label: texts.reason,
        kind: 'textarea',
        required: true,
        maxLength: maxText,
        hint: texts.reasonHint,
      },
    ],
    send: (id: number, values: FormValues) =>
      send(declineWithdrawal, { params: { id }, body: { reason: readFieldText(values.reason) } }),
  },
  pay: {
    label: texts.pay,
    done: texts.paid,
    fields: [
      { name: 'paid_on', label: texts.paidOn, kind: 'date', required: true, width: 'half' },
      {
        name: 'reference',
        label: texts.reference,
        kind: 'text',
        required: true,
        width: 'half',
        maxLength: maxLine,
        hint: texts.referenceHint,
      },
    ],
    send: (id: number, values: FormValues) =>
      send(payWithdrawal, {
        params: { id },
        body: { paid_on: readFieldText(values.paid_on), reference: readFieldText(values.reference) },
      }),
  },
} as const satisfies Record<
  Exclude<Step, 'facts'>,
  {
    label: string
    done: string
    fields: readonly FormField[]
    send: (id: number, values: FormValues) => Promise<Withdrawal>
  }
>

type DecisionFormProps = {
  step: Exclude<Step, 'facts'>
  id: number
  onDecide: (updated: Withdrawal) => void
  onCancel: () => void
}

function DecisionForm({ step, id, onDecide, onCancel }: DecisionFormProps) {
  const { time_zone: zone } = useSettings()
  const reportChange = useWithdrawalChange()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector<HTMLElement>('input,textarea')?.focus(), [])
  const decision = decisions[step]
  const submit = (values: FormValues) =>
    submitWithFieldErrors(async () => {
      const updated = await decision.send(id, values)
      onDecide(updated)
      void reportChange(decision.done)
    })
  return (
    <div ref={box}>
      <Form
        fields={decision.fields}
        initialValues={{ paid_on: getToday(zone) }}
        submitLabel={decision.label}
        loadingText={withdrawalTexts.changing}
        onSubmit={submit}
        onCancel={onCancel}
      />
    </div>
  )
}
