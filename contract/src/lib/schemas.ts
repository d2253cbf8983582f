import { Type, type TSchema } from 'typebox'
import { maxFilterValues, maxPayoutCurrencies, maxText } from './limits.ts'

/** A date and time on the wire: ISO 8601 with offset. */
export const DateTime = Type.String({ format: 'date-time' })

/** A day on the wire, in the installation's time zone. */
export const Day = Type.String({ format: 'date' })

/** A value that may be null. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Text that may be null. */
export const NullableText = nullable(Type.String())

/** A time that may be null. */
export const NullableDateTime = nullable(DateTime)

/** The pattern of a text that has a visible character: not only spaces, format characters and the fillers of Unicode. */
export const visibleText = String.raw`[^\s\p{C}\u115F\u1160\u2800\u3164\uFFA0]`

const lineCharacter = String.raw`[^\p{Cc}\p{Zl}\p{Zp}]`

/** The pattern of a text of one line: without line breaks, tabs and other control characters. */
export const oneLine = `^${lineCharacter}*$`

/** The pattern of a text of one line that has a visible character. */
export const visibleLine = `^(?=${lineCharacter}*${visibleText})${lineCharacter}*$`

/** One of the given texts. */
export const OneOf = <const Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>(Type.String({ enum: [...values] }))

/** The currencies of leads whose payouts an answer adds up. */
export const PayoutCurrencies = Type.Array(Type.String(), {
  maxItems: maxPayoutCurrencies,
  description:
    'The sorted codes of the currencies that the leads of these sources and streams have or had, in any period. Sums add the ' +
    'payouts in all of them as numbers',
})

/** The values of one filter of a query, which finds the rows of all of them. */
export const filterValues = <T extends TSchema>(value: T) =>
  Type.Array(value, {
    minItems: 1,
    maxItems: maxFilterValues,
    description:
      'Several values: repeat the parameter, or separate numbers by commas and texts by the control character U+001F',
  })

export const TextFilterValues = filterValues(Type.String({ minLength: 1, maxLength: maxText }))
