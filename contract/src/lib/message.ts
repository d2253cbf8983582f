/**
 * Messages with named parameters, for the server's errors and the web's texts. `{name}` is a value as it is,
 * `{name, number}` a number with grouped thousands. A message with plural forms chooses by its parameter
 * `count` (Intl.PluralRules).
 */
export type PluralForms = { readonly [Category in Intl.LDMLPluralRule]?: string } & { readonly other: string }
export type Message = string | PluralForms

/** The values of a message's parameters. */
export type MessageParams = Readonly<Record<string, string | number>>

type NumberNames<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Base}, number` ? Base : never) | NumberNames<Rest>
  : never
type ValueNames<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string}, number` ? never : Name) | ValueNames<Rest>
  : never
type ParamsOfText<Text> = { readonly [Name in NumberNames<Text>]: number } & {
  readonly [Name in Exclude<ValueNames<Text>, NumberNames<Text>>]: string | number
}

/** The parameters that a message needs: none for a text without a placeholder. */
export type ParamsOf<M extends Message> = M extends string
  ? ParamsOfText<M>
  : { readonly count: number } & ParamsOfText<M[keyof M]>

/** How a language writes numbers and chooses plural forms. */
export type MessageFormat = {
  readonly plural: Intl.PluralRules
  readonly formatNumber: (value: number) => string
}

/** English, for the server's messages. */
const englishFormat: MessageFormat = {
  plural: new Intl.PluralRules('en'),
  formatNumber: (value) => value.toLocaleString('en'),
}

/** Fills a message. A parameter without a value stays as it is written. */
export function formatMessage(
  message: Message,
  params: MessageParams = {},
  { plural, formatNumber } = englishFormat,
): string {
  const text =
    typeof message === 'string' ? message : (message[plural.select(Number(params['count']))] ?? message.other)
  return text.replace(/\{(\w+)(, number)?\}/g, (placeholder, name: string, number?: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined) return placeholder
    return number !== undefined && typeof value === 'number' ? formatNumber(value) : String(value)
  })
}
