import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { emailText } from '../lib/field.ts'
import { maxCode, maxLine, maxPassword } from '../lib/limits.ts'
import { shortestPassword } from '../lib/password.ts'

const newPassword = Type.String({ minLength: shortestPassword, maxLength: maxPassword })
/** One line: it stands in mails and on the admin's screen. */
const line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^\\P{Cc}+$' })

/**
 * Makes an inactive account with the role `user`; an admin activates it. 409 where the username is taken, 404
 * `switched_off` unless the settings' `registration` is live.
 */
export const register = call({
  id: 'accounts.register',
  summary: 'Ask for an account, which an admin activates',
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

/** The same answer whether or not anybody has the address. 404 unless the settings' `password_reset` is live. */
export const forgotPassword = call({
  id: 'accounts.forgot',
  summary: 'Ask for a mail with a link to a new password',
  method: 'POST',
  path: '/parcel/auth/forgot-password',
  feature: 'password_reset',
  guard: 'public',
  status: 202,
  body: Type.Object({ email: emailText() }),
  answer: Type.Object({ accepted: Type.Boolean() }),
})

/** `token` is that of the mailed link, good once; one that is used, over or unknown is 422 at the field `token`. */
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
