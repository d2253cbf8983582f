import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { emailText } from '../lib/field.ts'
import { maxCode, maxLine, maxPassword } from '../lib/limits.ts'
import { minPasswordLength } from '../lib/password.ts'
import { visibleLine } from '../lib/schemas.ts'

const newPassword = Type.String({ minLength: minPasswordLength, maxLength: maxPassword })
/** A text of one line with a visible character. Mails and the admin's pages show it. */
const line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: visibleLine })

/**
 * Creates an inactive account with the role `user`. An admin activates it. 409 for a taken username; 404
 * `switched_off` if the setting `registration` is not live.
 */
export const register = call({
  id: 'accounts.register',
  summary: 'Register an account, which an admin activates',
  method: 'POST',
  path: '/parcel/auth/register',
  feature: 'registration',
  guard: 'public',
  status: 202,
  body: Type.Object({
    username: line(maxCode),
    name: Type.Optional(line(maxLine)),
    email: emailText(),
    password: newPassword,
  }),
  answer: Type.Object({ registered: Type.Boolean() }),
})

/** The answer is the same for known and unknown addresses. 404 if the setting `password_reset` is not live. */
export const forgotPassword = call({
  id: 'accounts.forgot',
  summary: 'Request a mail with a link to set a new password',
  method: 'POST',
  path: '/parcel/auth/forgot-password',
  feature: 'password_reset',
  guard: 'public',
  status: 202,
  body: Type.Object({ email: emailText() }),
  answer: Type.Object({ accepted: Type.Boolean() }),
})

/** `token` comes from the mailed link and works once. A used, expired or unknown token is 422 at the field `token`. */
export const resetPassword = call({
  id: 'accounts.reset',
  summary: 'Set a new password by a mailed link',
  method: 'POST',
  path: '/parcel/auth/reset-password',
  feature: 'password_reset',
  guard: 'public',
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }), password: newPassword }),
  answer: Type.Object({ changed: Type.Boolean() }),
})

export const accountCalls = [register, forgotPassword, resetPassword]
