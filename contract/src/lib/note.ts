import { Type, type Static } from 'typebox'
import { Named } from './field.ts'
import { DateTime } from './schemas.ts'

/** A note of a person on a parcel or on a settlement difference. */
export const Note = Type.Object({
  id: Type.Integer(),
  text: Type.String(),
  user: Named,
  created_at: DateTime,
})
export type Note = Static<typeof Note>
