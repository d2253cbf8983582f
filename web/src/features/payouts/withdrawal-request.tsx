import { useQueryClient } from '@tanstack/react-query'
import { maxLine } from '@karvon/contract/lib/limits.ts'
import { requestWithdrawal, type Balance } from '@karvon/contract/payouts/payouts.ts'
import { FormModal } from '../../components/form/form-modal.tsx'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { balanceTexts as texts } from './money.texts.ts'

const createFields = (balance: Balance | null): readonly FormField[] => [
  {
    name: 'amount',
    label: texts.amount,
    kind: 'money',
    required: true,
    validate: (value) => (Number(readFieldText(value)) > 0 ? null : texts.notPositive),
    ...(balance && {
      hint: texts.availableHint({ amount: formatAmount(balance.available, balance.currency) }),
    }),
  },
  {
    name: 'details',
    label: texts.details,
    kind: 'text',
    required: true,
    maxLength: maxLine,
    hint: texts.detailsHint,
  },
]

/** The form of a withdrawal in the currency of a balance. Null: closed. */
export function WithdrawalRequest({ balance, onClose }: { balance: Balance | null; onClose: () => void }) {
  const client = useQueryClient()
  const submit = (values: FormValues) =>
    submitWithFieldErrors(async () => {
      const body = {
        currency: balance?.currency ?? '',
        amount: Number(readFieldText(values.amount)),
        details: readFieldText(values.details),
      }
      await send(requestWithdrawal, { body })
    })
  return (
    <FormModal
      opened={balance !== null}
      title={balance ? texts.requestIn({ currency: balance.currency }) : ''}
      fields={createFields(balance)}
      initialValues={balance ? { amount: String(balance.available) } : {}}
      draft={{ name: 'withdrawal', target: balance }}
      submitLabel={texts.submit}
      savedText={texts.saved}
      onSubmit={submit}
      onSaved={() => void client.invalidateQueries({ queryKey: queryKeys.money })}
      onClose={onClose}
    />
  )
}
