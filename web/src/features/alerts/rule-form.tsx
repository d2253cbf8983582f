import {
  createAlertRule,
  deleteAlertRule,
  updateAlertRule,
  type AlertFilterRow,
  type AlertKind,
  type AlertRule,
} from '@karvon/contract/alerts/rules.ts'
import fieldClasses from '../../components/fields/field.module.css'
import { FormModal } from '../../components/form/form-modal.tsx'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { send } from '../../lib/http.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { DeleteButton } from '../../resources/delete-button.tsx'
import { resourceOptions, useOptions, type SelectOptions } from '../../resources/reference-options.ts'
import { allLeadOptions, ownLeadOptionSources } from '../reports/lead-options.ts'
import { formatRuleName } from './alert.format.ts'
import { useAlertsReload } from './alerts.query.ts'
import { alertRuleFormTexts as texts } from './alerts.texts.ts'
import type { RuleDraft } from './rule-draft.ts'
import { createRuleFields, getRuleValues, readRuleBody, type RuleOptions } from './rule-form.fields.ts'

const buyerSource = resourceOptions('users')
const roleSource = resourceOptions('roles')

/** Adds the rows that are chosen and not among the options, and the option of leads without a value. */
function addChosenRows(
  loadedOptions: SelectOptions,
  rows: readonly AlertFilterRow[],
  hasNone: boolean,
): SelectOptions {
  const noneOptions = hasNone ? [{ value: '0', label: texts.withoutValue }] : []
  const knownValues = new Set([...noneOptions, ...loadedOptions.options].map(({ value }) => value))
  const chosenOptions = rows
    .filter(({ id }) => !knownValues.has(String(id)))
    .map(({ id, name }) => ({ value: String(id), label: name ?? `#${id}` }))
  return { ...loadedOptions, options: [...noneOptions, ...chosenOptions, ...loadedOptions.options] }
}

/** The rows that a person may name in a rule. `rule` and `draft` have those that are chosen. */
function useRuleOptions(rule: AlertRule | null, draft: RuleDraft | null, enabled: boolean): RuleOptions {
  const admin = isAdmin(useSession())
  const sources = admin ? allLeadOptions : ownLeadOptionSources
  const buyers = useOptions(buyerSource, draft?.filters.buyer, enabled && admin)
  const roles = useOptions(roleSource, [], enabled && admin)
  const rows = useOptions(sources.sources, draft?.filters.source, enabled)
  const offers = useOptions(sources.offers, draft?.filters.offer, enabled)
  const streams = useOptions(sources.streams, draft?.filters.stream, enabled)
  return {
    filters: {
      source: addChosenRows(rows, rule?.sources ?? [], false),
      offer: addChosenRows(offers, rule?.offers ?? [], true),
      stream: addChosenRows(streams, rule?.streams ?? [], admin),
      buyer: admin ? addChosenRows(buyers, rule?.buyers ?? [], true) : null,
    },
    roles: admin ? roles : null,
  }
}

type RuleFormProps = {
  /** The kind of a new rule, or of `rule`. Null closes the form. */
  kind: AlertKind | null
  rule: AlertRule | null
  /** What a new rule starts from. */
  draft?: RuleDraft | null
  onClose: () => void
}

/** The form of a rule, for a new one and for a change. */
export function RuleForm({ kind, rule, draft = null, onClose }: RuleFormProps) {
  const reload = useAlertsReload()
  const options = useRuleOptions(rule, draft, kind !== null)
  const fields = kind === null ? [] : createRuleFields(kind, options)
  const isOwn = rule !== null && rule.owner !== null
  return (
    <FormModal
      opened={kind !== null}
      title={rule === null ? texts.create : rule.name === null ? formatRuleName(rule) : texts.editTitle}
      fields={fields}
      initialValues={kind === null ? {} : getRuleValues(kind, rule, draft)}
      savedText={texts.saved}
      draft={rule === null ? { name: 'new-alert-rule', target: kind } : { name: 'alert-rules', target: rule }}
      onSubmit={(values) => save({ kind, rule, fields }, values)}
      onSaved={() => void reload()}
      onClose={onClose}
    >
      {draft !== null && draft.refusedFilters.length > 0 && (
        <p className={fieldClasses.warning}>{texts.refused({ names: draft.refusedFilters.join(', ') })}</p>
      )}
      {isOwn && (
        <DeleteButton
          texts={texts}
          question={texts.confirmRemove({ name: formatRuleName(rule) })}
          run={() => send(deleteAlertRule, { params: { id: rule.id } })}
          onDeleted={() => {
            onClose()
            return reload()
          }}
        />
      )}
    </FormModal>
  )
}

const save = (
  { kind, rule, fields }: { kind: AlertKind | null; rule: AlertRule | null; fields: readonly FormField[] },
  values: FormValues,
) =>
  submitWithFieldErrors(async () => {
    const body = readRuleBody(fields, values)
    if (rule !== null)
      await send(updateAlertRule, { params: { id: rule.id }, body: { ...body, updated_at: rule.updated_at } })
    else if (kind === 'metric' || kind === 'silence')
      await send(createAlertRule, { body: { ...body, kind, name: readFieldText(values.name) } })
  })
