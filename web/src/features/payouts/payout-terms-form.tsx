import { useQueryClient } from '@tanstack/react-query'
import { maxHoldDays } from '@karvon/contract/lib/limits.ts'
import { createPayoutTerms, earningStates, maxShare } from '@karvon/contract/payouts/payout-terms.ts'
import { createOptions } from '../../components/fields/options.ts'
import { FormModal } from '../../components/form/form-modal.tsx'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { addDays } from '@karvon/contract/lib/day-ranges.ts'
import { getToday } from '../../lib/format/date-time.format.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { searchOptions } from '../../resources/reference-options.ts'
import { currencyField } from '../ledger/currency.field.ts'
import { payoutTermsFormTexts as texts, payoutTermsTexts } from './payout-terms.texts.ts'

const { columns } = payoutTermsTexts

const validateMaximum =
  (max: number): FormField['validate'] =>
  (value) => {
    const number = Number(readFieldText(value))
    return number < 0 || number > max ? texts.range({ max }) : null
  }

const fields: readonly FormField[] = [
  {
    name: 'user_id',
    label: columns.user,
    kind: 'select',
    width: 'half',
    hint: texts.userHint,
    onSearch: searchOptions('users'),
  },
  {
    name: 'offer_id',
    label: columns.offer,
    kind: 'select',
    width: 'half',
    hint: texts.offerHint,
    onSearch: searchOptions('offers'),
  },
  {
    name: 'valid_from',
    label: columns.valid_from,
    kind: 'date',
    required: true,
    width: 'half',
    hint: texts.validFromHint,
  },
  {
    name: 'earned_at',
    label: columns.earned_at,
    kind: 'select',
    required: true,
    width: 'half',
    options: createOptions(earningStates, payoutTermsTexts.states),
  },
  {
    name: 'share',
    label: texts.share,
    kind: 'money',
    width: 'half',
    hint: texts.eitherHint,
    validate: validateMaximum(maxShare),
  },
  { name: 'fixed', label: texts.fixed, kind: 'money', width: 'half' },
  { ...currencyField, required: false, hint: texts.currencyHint },
  {
    name: 'hold_days',
    label: columns.hold_days,
    kind: 'number',
    required: true,
    width: 'half',
    validate: validateMaximum(maxHoldDays),
  },
  {
    name: 'minimum',
    label: columns.minimum,
    kind: 'money',
    required: true,
    width: 'half',
    hint: texts.minimumHint,
  },
]

const initialTerms: FormValues = { earned_at: 'sold', hold_days: '0', minimum: '0' }

/** The number of a field, null where it is empty. */
function readNumber(values: FormValues, name: string): number | null {
  const text = readFieldText(values[name])
  return text === '' ? null : Number(text)
}

const submit = (values: FormValues) =>
  submitWithFieldErrors(async () => {
    const earnedAt = readFieldText(values.earned_at)
    const fixedAmount = readNumber(values, 'fixed')
    const body = {
      user_id: readNumber(values, 'user_id'),
      offer_id: readNumber(values, 'offer_id'),
      valid_from: readFieldText(values.valid_from),
      earned_at: earningStates.find((state) => state === earnedAt) ?? 'sold',
      share: readNumber(values, 'share'),
      fixed: fixedAmount,
      currency: fixedAmount === null ? null : readFieldText(values.currency) || null,
      hold_days: readNumber(values, 'hold_days') ?? 0,
      minimum: readNumber(values, 'minimum') ?? 0,
    }
    await send(createPayoutTerms, { body })
  })

/** The form of new payout terms, by default from tomorrow on. */
export function PayoutTermsForm({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const { currency, time_zone: zone } = useSettings()
  return (
    <FormModal
      opened={opened}
      title={texts.open}
      fields={fields}
      initialValues={{ ...initialTerms, currency, valid_from: addDays(getToday(zone), 1) }}
      draft={{ name: 'payout-terms', target: true }}
      savedText={texts.saved}
      onSubmit={submit}
      onSaved={() => void client.invalidateQueries({ queryKey: queryKeys.payoutTerms })}
      onClose={onClose}
    />
  )
}
