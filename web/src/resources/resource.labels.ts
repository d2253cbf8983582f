import type { Resource } from '@karvon/contract/lib/resource.ts'
import { getText } from '../lib/i18n/language.ts'
import { resourceTexts } from './resource.texts.ts'

/**
 * The visible words of the contract's declarations. They are the same in many resources, so a label's id is
 * its English text: `label.Name`. A word with another translation in one resource has an id with the name of
 * the resource: `label.users.Name`.
 */
export function getLabel(label: string, resource?: string): string {
  const text = getText(`label.${label}`, label)
  return resource === undefined ? text : getText(`label.${resource}.${label}`, text)
}

/** The nouns of a resource as parameters of `resourceTexts`. `Noun` begins a sentence. */
export function getNouns({ noun: { one, many } }: Pick<Resource<never>, 'noun'>) {
  const noun = getText(`noun.${one}`, one)
  const Noun = noun.charAt(0).toUpperCase() + noun.slice(1)
  return { noun, Noun, nouns: getText(`noun.${many}`, many) }
}

/** The words for both values of a yes-or-no field, e.g. Active and Inactive. */
export function getStateLabel(label: string, isOn: boolean): string {
  if (isOn) return getLabel(label)
  if (label === 'Active') return resourceTexts.inactive
  return getText(`label.not.${label}`, resourceTexts.off({ label: label.toLowerCase() }))
}
