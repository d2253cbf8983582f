import { Type, type Static } from 'typebox'
import { maxPassword } from './limits.ts'

/** A code of an authenticator app, or a recovery code. Spaces and dashes are ignored. */
export const Code = Type.String({ maxLength: 64 })

export const CurrentPassword = Type.String({ minLength: 1, maxLength: maxPassword })

/**
 * The proof that a person sends with a change of their own credentials: the current password, or a code of
 * the second factor. A session alone is not enough because it can be stolen.
 */
export const proofFields = { current_password: Type.Optional(CurrentPassword), code: Type.Optional(Code) }

export const OwnerProof = Type.Object(proofFields)
export type OwnerProof = Static<typeof OwnerProof>
