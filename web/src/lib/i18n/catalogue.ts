/**
 * What a person reads in one language, by what they would read had they picked none. In a key `{0}`, `{1}` ... are
 * values in their order, `<0>` one without a space. In a translation `{0}` is the value as it is, `[0]` a value that
 * is a text itself, translated. A list has the plural forms in the order of Intl.PluralRules (Russian: one, few, many), by the first
 * value that is a whole number.
 */
export type Catalogue = Readonly<Record<string, string | readonly string[]>>

/** A text in the language of a catalogue, or as it is. `place` is where it stands, for `place|text` in a catalogue. */
export type Translate = (text: string, place?: string) => string

type Forms = string | readonly string[]
type Pattern = { readonly key: string; readonly known: RegExp; readonly forms: Forms }

const hole = /(\{\d\}|<\d>)/
// A text may hold its words together.
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[ \u00a0]')

const matcher = (part: string) =>
  hole.test(part) ? (part.startsWith('<') ? '([^ ]*?)' : '(.*?)') : literal(part)

/** The keys with values in them: those whose first word is known before the others, the one that says most first. */
function patternsOf(catalogue: Catalogue): Pattern[] {
  const opens = (key: string) => /^[{<]/.test(key)
  const length = (key: string) =>
    key
      .split(hole)
      .filter((part) => !hole.test(part))
      .join('').length
  return Object.entries(catalogue)
    .filter(([key]) => hole.test(key))
    .toSorted(([a], [b]) => Number(opens(a)) - Number(opens(b)) || length(b) - length(a))
    .map(([key, forms]) => ({
      key,
      known: new RegExp(`^${key.split(hole).map(matcher).join('')}$`, 's'),
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
  // What its sentence wrote with a small letter is known with a capital one.
  const inside = (value: string): string => {
    const known = translate(value)
    if (known !== value) return known
    const capital = fixed(raised(value))
    return capital === undefined ? value : lowered(capital)
  }
  const translate = (text: string, place = ''): string => {
    const whole = fixed(`${place}|${text}`) ?? fixed(text)
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
  return translate
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
