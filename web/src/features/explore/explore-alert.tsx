import { dimensionNames } from '@karvon/contract/explore/explore.dimensions.ts'
import type { ExploreState } from '@karvon/contract/explore/explore.address.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { isAlertFilter, type RuleDraft } from '../alerts/rule-draft.ts'
import { RuleForm } from '../alerts/rule-form.tsx'
import { exploreFilterTexts } from './explore.filters.texts.ts'
import type { exploreTexts } from './explore.texts.ts'

interface ExploreAlertProps {
  readonly state: ExploreState
  /** The page passes them: an import would make a chunk of the texts, which the first load would request too. */
  readonly texts: Pick<typeof exploreTexts, 'ownDates'>
  readonly opened: boolean
  readonly onClose: () => void
}

/** The rule of the first metric of a view. Own dates do not move with today, so a rule cannot have them. */
function toDraft({ state, texts }: ExploreAlertProps, admin: boolean): RuleDraft {
  const { metrics, period, filters } = state
  // A person's rule has own leads alone, and its form no buyer.
  const setNames = dimensionNames.filter((name) => filters[name] !== undefined)
  const keptNames = setNames.filter((name) => isAlertFilter(name) && (admin || name !== 'buyer'))
  return {
    metric: metrics[0] ?? 'leads',
    period: period ?? 'today',
    filters: Object.fromEntries(keptNames.map((name) => [name, filters[name]])),
    refusedFilters: [
      ...(period === undefined ? [texts.ownDates] : []),
      ...setNames
        .filter((name) => !keptNames.includes(name))
        .map((name) => exploreFilterTexts.dimensions[name]),
    ],
  }
}

/** The form of a new rule about the figure on the screen. */
export function ExploreAlert(props: ExploreAlertProps) {
  const admin = isAdmin(useSession())
  return (
    <RuleForm
      kind={props.opened ? 'metric' : null}
      rule={null}
      draft={toDraft(props, admin)}
      onClose={props.onClose}
    />
  )
}
