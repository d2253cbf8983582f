import { useEffect, useRef } from 'react'
import { maxLine, maxText } from '@karvon/contract/lib/limits.ts'
import { declineWithdrawal, payWithdrawal, type Withdrawal } from '@karvon/contract/payouts/payouts.ts'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { FormWithDraft } from '../../components/form/form-with-draft.tsx'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { getToday } from '../../lib/format/date-time.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { send } from '../../lib/http.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useWithdrawalChange } from './withdrawal-change.hook.ts'
import { decisionTexts as texts, withdrawalTexts } from './withdrawals.texts.ts'

export type DecisionWithForm = 'decline' | 'pay'

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
  DecisionWithForm,
  {
    label: string
    done: string
    fields: readonly FormField[]
    send: (id: number, values: FormValues) => Promise<Withdrawal>
  }
>

type DecisionFormProps = {
  step: DecisionWithForm
  withdrawal: Withdrawal
  onDecide: (updated: Withdrawal) => void
  onCancel: () => void
}

/** The form of a decision, in the place of its buttons. */
export function DecisionForm({ step, withdrawal, onDecide, onCancel }: DecisionFormProps) {
  const { id, amount, currency, user } = withdrawal
  const dialogs = useDialogs()
  const { time_zone: zone } = useSettings()
  const reportChange = useWithdrawalChange()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector<HTMLElement>('input,textarea')?.focus(), [])
  const decision = decisions[step]
  const submit = (values: FormValues) =>
    submitWithFieldErrors(async () => {
      const updatedWithdrawal = await decision.send(id, values)
      onDecide(updatedWithdrawal)
      void reportChange(decision.done)
    })
  return (
    <div ref={box}>
      <FormWithDraft
        fields={decision.fields}
        draft={{ name: 'withdrawals', target: withdrawal }}
        initialValues={{ paid_on: getToday(zone) }}
        submitLabel={decision.label}
        loadingText={withdrawalTexts.changing}
        {...(step === 'pay' && {
          confirm: () =>
            dialogs.confirm(texts.confirmPay({ amount: formatAmount(amount, currency), who: user.name }), {
              confirmLabel: texts.pay,
            }),
        })}
        onSubmit={submit}
        onCancel={onCancel}
      />
    </div>
  )
}
