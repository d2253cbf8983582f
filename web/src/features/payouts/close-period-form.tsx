import { useQueryClient } from '@tanstack/react-query'
import { closeStatement } from '@karvon/contract/payouts/statements.ts'
import { FormModal } from '../../components/form/form-modal.tsx'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { getMonthRange } from '@karvon/contract/lib/day-ranges.ts'
import { getToday } from '../../lib/format/date-time.format.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { searchOptions } from '../../resources/reference-options.ts'
import { currencyField } from '../ledger/currency.field.ts'
import { statementTexts as texts } from './statements.texts.ts'

const fields: readonly FormField[] = [
  {
    name: 'user_id',
    label: texts.columns.user,
    kind: 'select',
    required: true,
    width: 'half',
    onSearch: searchOptions('users'),
  },
  currencyField,
  { name: 'start_date', label: texts.start, kind: 'date', required: true, width: 'half' },
  { name: 'end_date', label: texts.end, kind: 'date', required: true, width: 'half', hint: texts.endHint },
]

const submit = (values: FormValues) =>
  submitWithFieldErrors(async () => {
    const body = {
      user_id: Number(readFieldText(values.user_id)),
      currency: readFieldText(values.currency),
      start_date: readFieldText(values.start_date),
      end_date: readFieldText(values.end_date),
    }
    await send(closeStatement, { body })
  })

/** The form that closes a period of a person's account, by default the previous month. */
export function ClosePeriodForm({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const { currency, time_zone: zone } = useSettings()
  const dialogs = useDialogs()
  const { start, end } = getMonthRange(getToday(zone), -1)
  const reloadLists = () =>
    Promise.all(
      [queryKeys.statements, queryKeys.money].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
  return (
    <FormModal
      opened={opened}
      title={texts.close}
      fields={fields}
      initialValues={{ currency, start_date: start, end_date: end }}
      draft={{ name: 'close-period', target: true }}
      submitLabel={texts.submit}
      savedText={texts.closed}
      confirm={(values) =>
        dialogs.confirm(
          texts.confirm({
            start: formatDay(readFieldText(values.start_date)),
            end: formatDay(readFieldText(values.end_date)),
          }),
          { confirmLabel: texts.submit },
        )
      }
      onSubmit={submit}
      onSaved={() => void reloadLists()}
      onClose={onClose}
    />
  )
}
