import { lazy, useState, type ComponentProps } from 'react'
import { listAlertRules, type AlertKind, type AlertRule } from '@karvon/contract/alerts/rules.ts'
import { PlusIcon } from '../../components/actions/icons.tsx'
import { Menu } from '../../components/actions/menu.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { LazyDialog } from '../../components/lazy-part.tsx'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { restoreTarget } from '../../lib/session.draft.ts'
import { createFlagFilter } from '../../resources/list-filters.tsx'
import { logPage } from '../../resources/log-page.tsx'
import { formatCondition, formatRuleName } from './alert.format.ts'
import { alertRuleFormTexts, alertRuleTexts as texts } from './alerts.texts.ts'

const LazyRuleForm = lazy(async () => ({ default: (await import('./rule-form.tsx')).RuleForm }))

const { columns, filters, states } = texts

function RuleState({ is_active, muted }: AlertRule) {
  if (!is_active) return <Badge>{states.off}</Badge>
  return muted ? <Badge tone="wait">{states.muted}</Badge> : <Badge tone="ok">{states.on}</Badge>
}

const createColumns = (): Column<AlertRule>[] => [
  { key: 'name', header: columns.name, cell: (rule) => <TruncatedText text={formatRuleName(rule)} isWide /> },
  {
    key: 'condition',
    header: columns.condition,
    cell: (rule) => <TruncatedText text={formatCondition(rule)} isWide />,
    phone: 'line',
  },
  {
    key: 'owner',
    header: columns.owner,
    cell: ({ owner }) => <TruncatedText text={owner?.name ?? texts.everybody} />,
    phone: 'line',
  },
  {
    key: 'open',
    header: columns.open,
    cell: ({ open }) => open,
    align: 'end',
    nowrap: true,
    phone: 'line',
  },
  { key: 'is_active', header: columns.state, cell: RuleState, nowrap: true, sortable: true, phone: 'right' },
]

/** The form of a rule. Its code loads when it is opened first. */
function RuleForm(props: ComponentProps<typeof LazyRuleForm>) {
  return (
    <LazyDialog opened={props.kind !== null} onClose={props.onClose}>
      <LazyRuleForm {...props} />
    </LazyDialog>
  )
}

/** The menu of new rules, by kind. */
function NewRuleMenu() {
  const [kind, setKind] = useState(() => restoreTarget('new-alert-rule') as AlertKind | null)
  return (
    <>
      <Menu
        label={alertRuleFormTexts.create}
        icon={<PlusIcon size={17} />}
        items={(['metric', 'silence'] as const).map((ruleKind) => ({
          label: texts.kinds[ruleKind],
          onSelect: () => setKind(ruleKind),
        }))}
      />
      <RuleForm kind={kind} rule={null} onClose={() => setKind(null)} />
    </>
  )
}

/** The rules that a person may change. */
export const AlertRulesPage = logPage({
  call: listAlertRules,
  key: queryKeys.alertRules,
  name: 'alert-rules',
  pageSize: 20,
  texts,
  filters: [createFlagFilter('is_active', filters.active)],
  createColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: formatRuleName,
  Actions: NewRuleMenu,
  renderDetail: (openedRule, setOpenedRule) => (
    <RuleForm kind={openedRule?.kind ?? null} rule={openedRule} onClose={() => setOpenedRule(null)} />
  ),
})
