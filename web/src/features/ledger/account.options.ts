import type { adjustableKinds } from '@karvon/contract/ledger/ledger.ts'
import type { Option } from '../../components/fields/options.ts'
import { normalizeSearch } from '../../lib/search-text.ts'
import { isAnnounced } from '../../lib/settings.store.ts'
import { resourceOptions, toOptions, type OptionSource } from '../../resources/reference-options.ts'
import { formatAccountKind } from './ledger.names.ts'
import { ledgerTexts as texts } from './ledger.texts.ts'

type AdjustableKind = (typeof adjustableKinds)[number]

/** The rows that own accounts, by the kind of the accounts. */
export const ownerSources: Readonly<Partial<Record<string, OptionSource>>> = {
  person: resourceOptions('users'),
  network: resourceOptions('cpa-sources'),
  courier: resourceOptions('courier-accounts'),
}

const ownedKinds = ['person', 'network', 'courier'] as const
const sharedKinds = ['fees', 'paid'] as const

/** The id of an account without its currency. */
const toValue = (kind: AdjustableKind, id: string): string => `${kind}-${id}`

/** The accounts that an admin can correct and whose name has the text. */
export async function searchAccounts(text: string): Promise<Option[]> {
  const kinds = ownedKinds.filter((kind) => kind !== 'courier' || isAnnounced('fetching'))
  const ownedOptions = await Promise.all(
    kinds.map(async (kind) => {
      const owners = toOptions((await ownerSources[kind]?.search(text))?.items)
      return owners.map(({ value, label }) => ({
        value: toValue(kind, value),
        label: texts.account({ kind: formatAccountKind(kind), name: label }),
      }))
    }),
  )
  const sharedOptions = sharedKinds.map((kind) => ({
    value: toValue(kind, '0'),
    label: formatAccountKind(kind),
  }))
  const isFound = ({ label }: Option) => normalizeSearch(label).includes(normalizeSearch(text))
  return [...ownedOptions.flat(), ...sharedOptions.filter(isFound)]
}
