import { Type, type TSchema } from 'typebox'

/** A date and time on the wire: ISO 8601 with offset. */
export const DateTime = Type.String({ format: 'date-time' })

/** A value that may be null. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Text that may be null. */
export const NullableText = nullable(Type.String())
