import { useQueryClient } from '@tanstack/react-query'
import { adjustLedger } from '@karvon/contract/ledger/ledger.ts'
import { maxText } from '@karvon/contract/lib/limits.ts'
import { FormModal } from '../../components/form/form-modal.tsx'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { searchAccounts } from './account.options.ts'
import { currencyField } from './currency.field.ts'
import { adjustmentTexts as texts } from './ledger.texts.ts'

const fields: readonly FormField[] = [
  { name: 'account', label: texts.account, kind: 'select', required: true, onSearch: searchAccounts },
  {
    name: 'amount',
    label: texts.amount,
    kind: 'money',
    inputMode: 'text',
    required: true,
    width: 'half',
    hint: texts.amountHint,
  },
  currencyField,
  {
    name: 'reason',
    label: texts.reason,
    kind: 'textarea',
    required: true,
    maxLength: maxText,
    hint: texts.reasonHint,
  },
]

const submit = (values: FormValues) =>
  submitWithFieldErrors(async () => {
    const body = {
      account_id: `${readFieldText(values.account)}-${readFieldText(values.currency)}`,
      amount: Number(readFieldText(values.amount)),
      reason: readFieldText(values.reason),
    }
    await send(adjustLedger, { body })
  })

/** The form that corrects the balance of an account, with a reason. */
export function AdjustForm({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const { currency } = useSettings()
  const dialogs = useDialogs()
  const reloadLists = () =>
    Promise.all([queryKeys.ledger, queryKeys.money].map((queryKey) => client.invalidateQueries({ queryKey })))
  return (
    <FormModal
      opened={opened}
      title={texts.title}
      fields={fields}
      initialValues={{ currency }}
      draft={{ name: 'adjustment', target: true }}
      savedText={texts.saved}
      confirm={(values) =>
        dialogs.confirm(
          texts.confirm({
            amount: formatAmount(Number(readFieldText(values.amount)), readFieldText(values.currency)),
          }),
          { confirmLabel: texts.open },
        )
      }
      onSubmit={submit}
      onSaved={() => void reloadLists()}
      onClose={onClose}
    />
  )
}
