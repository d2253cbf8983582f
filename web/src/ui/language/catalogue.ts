/**
 * What a person reads in one language, by what they would read had they picked none. `{0}`, `{1}` ... stand for
 * values as they are, in a translation `[0]`, `[1]` ... for values that are texts themselves. A list has the plural forms in the order of Intl.PluralRules (Russian: one, few, many), by the first
 * value that is a whole number.
 */
export type Catalogue = Readonly<Record<string, string | readonly string[]>>

/** A text in the language of a catalogue; one that it does not know stays as it is. */
export type Translate = (text: string) => string

type Forms = string | readonly string[]
type Pattern = { readonly key: string; readonly known: RegExp; readonly forms: Forms }

const hole = /\{\d\}/
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The keys with values in them, the one that says most first. */
function patternsOf(catalogue: Catalogue): Pattern[] {
  const length = (key: string) => key.split(hole).join('').length
  return Object.entries(catalogue)
    .filter(([key]) => hole.test(key))
    .toSorted(([a], [b]) => length(b) - length(a))
    .map(([key, forms]) => ({
      key,
      known: new RegExp(`^${key.split(hole).map(literal).join('(.*?)')}$`, 's'),
      forms,
    }))
}

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
const raised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A catalogue as a function. `seen` hears of each key that was used. */
export function translator(
  catalogue: Catalogue,
  language: string,
  seen: (key: string) => void = () => undefined,
): Translate {
  const patterns = patternsOf(catalogue)
  const rules = new Intl.PluralRules(language)
  const categories = ['one', 'few', 'many', 'other'].filter((each) =>
    rules.resolvedOptions().pluralCategories.includes(each as Intl.LDMLPluralRule),
  )

  const chosen = (forms: Forms, values: readonly string[]): string => {
    if (typeof forms === 'string') return forms
    // Thousands stand apart by a no-break space or a comma.
    const counted = values.map((value) => value.replace(/[\s,]/g, '')).find((value) => /^\d+$/.test(value))
    return forms[categories.indexOf(rules.select(Number(counted)))] ?? forms.at(-1) ?? ''
  }
  const fixed = (text: string): string | undefined => {
    const forms = Object.hasOwn(catalogue, text) ? catalogue[text] : undefined
    if (forms === undefined) return undefined
    seen(text)
    return chosen(forms, [])
  }
  // A small letter first: so a noun has the case that sentences need. What was lowered for its sentence stays so.
  const inside = (value: string) =>
    fixed(lowered(value)) ??
    (value === lowered(value) ? lowered(fixed(raised(value)) ?? value) : fixed(value)) ??
    value

  return (text) => {
    const whole = fixed(text)
    if (whole !== undefined) return whole
    for (const { key, known, forms } of patterns) {
      const values = known.exec(text)?.slice(1)
      if (!values) continue
      seen(key)
      return chosen(forms, values).replace(/([{[])(\d)[\]}]/g, (_, kind: string, at: string) => {
        const value = values[Number(at)] ?? ''
        return kind === '[' ? inside(value) : value
      })
    }
    return text
  }
}

const isFunction = (value: unknown): value is (...given: unknown[]) => unknown => typeof value === 'function'

/** Texts, in whatever nesting, with each one translated and what each function answers. */
export function translated<T>(texts: T, translate: Translate): T
export function translated(texts: unknown, translate: Translate): unknown {
  if (typeof texts === 'string') return translate(texts)
  if (isFunction(texts)) return (...given: unknown[]) => translated(texts(...given), translate)
  if (Array.isArray(texts)) return texts.map((each: unknown) => translated(each, translate))
  if (typeof texts !== 'object' || texts === null) return texts
  return Object.fromEntries(Object.entries(texts).map(([key, each]) => [key, translated(each, translate)]))
}
