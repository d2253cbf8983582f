/**
 * The translations of one language, by their source texts. In a key `{0}`, `{1}` ... are placeholders in
 * their order, and `<0>` is a placeholder without a space. In a translation `{0}` is the value unchanged and
 * `[0]` is the value translated. A list has the plural forms in the order of Intl.PluralRules (Russian: one,
 * few, many). The first whole number among the values selects the form.
 */
export type Catalogue = Readonly<Record<string, string | readonly string[]>>

/**
 * Translates a text, or returns it unchanged. `context` selects the key `context|text` where the catalogue
 * has it.
 */
export type Translate = (text: string, context?: string) => string

type PluralForms = string | readonly string[]
type MessagePattern = { readonly key: string; readonly expression: RegExp; readonly forms: PluralForms }

const placeholder = /(\{\d\}|<\d>)/
// A text may have no-break spaces.
const escapeLiteral = (text: string) =>
  text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[ \u00a0]')

const buildMatcher = (part: string) =>
  placeholder.test(part) ? (part.startsWith('<') ? '([^ ]*?)' : '(.*?)') : escapeLiteral(part)

/**
 * The keys with placeholders. Keys that start with fixed text come first, longer fixed text before shorter.
 */
function buildPatterns(catalogue: Catalogue): MessagePattern[] {
  const startsWithPlaceholder = (key: string) => /^[{<]/.test(key)
  const length = (key: string) =>
    key
      .split(placeholder)
      .filter((part) => !placeholder.test(part))
      .join('').length
  return Object.entries(catalogue)
    .filter(([key]) => placeholder.test(key))
    .toSorted(
      ([a], [b]) =>
        Number(startsWithPlaceholder(a)) - Number(startsWithPlaceholder(b)) || length(b) - length(a),
    )
    .map(([key, forms]) => ({
      key,
      expression: new RegExp(`^${key.split(placeholder).map(buildMatcher).join('')}$`, 's'),
      forms,
    }))
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Creates the translation function of a catalogue. `onKeyUsed` is called with each key that is used. */
export function createTranslator(
  catalogue: Catalogue,
  language: string,
  onKeyUsed: (key: string) => void = () => undefined,
): Translate {
  const patterns = buildPatterns(catalogue)
  const rules = new Intl.PluralRules(language)
  const pluralCategories = ['one', 'few', 'many', 'other'].filter((each) =>
    rules.resolvedOptions().pluralCategories.includes(each as Intl.LDMLPluralRule),
  )

  const chooseForm = (forms: PluralForms, values: readonly string[]): string => {
    if (typeof forms === 'string') return forms
    // Thousands are grouped by a no-break space or a comma.
    const count = values.map((value) => value.replace(/[\s,]/g, '')).find((value) => /^\d+$/.test(value))
    return forms[pluralCategories.indexOf(rules.select(Number(count)))] ?? forms.at(-1) ?? ''
  }
  const translateFixedText = (text: string): string | undefined => {
    const forms = Object.hasOwn(catalogue, text) ? catalogue[text] : undefined
    if (forms === undefined) return undefined
    onKeyUsed(text)
    return chooseForm(forms, [])
  }
  // A value may be written with a small letter while its key has a capital one.
  const translateValue = (value: string): string => {
    const known = translate(value)
    if (known !== value) return known
    const capitalised = translateFixedText(upperFirst(value))
    return capitalised === undefined ? value : lowerFirst(capitalised)
  }
  const translate = (text: string, context = ''): string => {
    const fixed = translateFixedText(`${context}|${text}`) ?? translateFixedText(text)
    if (fixed !== undefined) return fixed
    for (const { key, expression, forms } of patterns) {
      const values = expression.exec(text)?.slice(1)
      if (!values) continue
      onKeyUsed(key)
      return chooseForm(forms, values).replace(/([{[])(\d)[\]}]/g, (_, kind: string, index: string) => {
        const value = values[Number(index)] ?? ''
        return kind === '[' ? translateValue(value) : value
      })
    }
    return text
  }
  return translate
}

const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === 'function'

/** Translates all texts of a nested structure, and the results of its functions. */
export function translateTexts<T>(texts: T, translate: Translate): T
export function translateTexts(texts: unknown, translate: Translate): unknown {
  if (typeof texts === 'string') return translate(texts)
  if (isFunction(texts)) return (...args: unknown[]) => translateTexts(texts(...args), translate)
  if (Array.isArray(texts)) return texts.map((each: unknown) => translateTexts(each, translate))
  if (typeof texts !== 'object' || texts === null) return texts
  return Object.fromEntries(
    Object.entries(texts).map(([key, each]) => [key, translateTexts(each, translate)]),
  )
}
