import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { Code, CurrentPassword } from '../lib/proof.ts'
import { Profile } from './auth.ts'

/** The number of recovery codes of a person. */
export const recoveryCodeCount = 10

/** The codes are shown only once: the server stores their hashes. */
const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { maxItems: recoveryCodeCount }),
})

/** Nothing changes until a code is confirmed. Another call gives another secret. 409 while a second factor is on. */
export const beginSecondFactor = call({
  id: 'auth.second-factor.begin',
  summary: 'Start the setup of your second factor: returns a secret for an authenticator app',
  method: 'POST',
  path: '/parcel/auth/second-factor/begin',
  repeat: 'unkeyed',
  feature: 'second_factor',
  guard: 'person',
  beforeSecondFactor: true,
  body: Type.Object({ current_password: CurrentPassword }),
  answer: Type.Object({
    secret: Type.String({ description: 'Base32, for typing' }),
    uri: Type.String({ description: 'otpauth://, for a QR code' }),
  }),
})

export const confirmSecondFactor = call({
  id: 'auth.second-factor.confirm',
  summary: 'Turn your second factor on with a first code; ends all your other sessions',
  method: 'POST',
  path: '/parcel/auth/second-factor/confirm',
  repeat: 'unkeyed',
  feature: 'second_factor',
  guard: 'person',
  beforeSecondFactor: true,
  body: Type.Object({ code: Code }),
  answer: RecoveryCodes,
})

/** The password, and a code of the app or a recovery code. */
const PasswordAndCode = Type.Object({ current_password: CurrentPassword, code: Code })

/** 409 if the installation requires a second factor of this person. */
export const turnOffSecondFactor = call({
  id: 'auth.second-factor.off',
  summary: 'Turn your second factor off; ends all your other sessions',
  method: 'POST',
  path: '/parcel/auth/second-factor/off',
  repeat: 'unkeyed',
  feature: 'second_factor',
  guard: 'person',
  body: PasswordAndCode,
  answer: Profile,
})

export const renewRecoveryCodes = call({
  id: 'auth.second-factor.recovery-codes',
  summary: 'Replace your recovery codes',
  method: 'POST',
  path: '/parcel/auth/second-factor/recovery-codes',
  repeat: 'unkeyed',
  feature: 'second_factor',
  guard: 'person',
  body: PasswordAndCode,
  answer: RecoveryCodes,
})

export const removeSecondFactor = call({
  id: 'auth.second-factor.remove',
  summary: 'Remove the second factor of a person and end their sessions',
  method: 'DELETE',
  path: '/api/admin/users/:id/second-factor/',
  feature: 'second_factor',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Type.Object({ removed: Type.Boolean({ description: 'True if there was one' }) }),
})

export const secondFactorCalls = [
  beginSecondFactor,
  confirmSecondFactor,
  turnOffSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
]
