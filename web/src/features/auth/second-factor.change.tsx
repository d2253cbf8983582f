import { useState } from 'react'
import { renewRecoveryCodes, turnOffSecondFactor } from '@karvon/contract/auth/second-factor.ts'
import type { FormField } from '../../components/form/form.rules.ts'
import { FormWithQuestion } from '../../components/form/form-with-question.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import {
  readCode,
  passwordField,
  readPassword,
  SecondFactorStep,
  useProfileRefresh,
} from './second-factor.form.tsx'
import { secondFactorTexts as texts } from './second-factor.texts.ts'
import { submitWithFieldErrors } from '../../components/form/submit.ts'

const codeField: FormField = {
  name: 'code',
  label: texts.codeOrRecovery,
  kind: 'text',
  required: true,
  autoComplete: 'one-time-code',
  maxLength: 64,
}

export function TurnOffSecondFactor({ onDone }: { onDone: () => void }) {
  const refreshProfile = useProfileRefresh()
  const toasts = useToasts()
  return (
    <SecondFactorStep text={texts.offWords}>
      <FormWithQuestion
        fields={[passwordField, codeField]}
        submitLabel={texts.turnOff}
        onSubmit={(values) =>
          submitWithFieldErrors(async () => {
            await send(turnOffSecondFactor, { body: readPasswordAndCode(values) })
            toasts.show({ title: texts.turnedOff })
            onDone()
            await refreshProfile()
          })
        }
      />
    </SecondFactorStep>
  )
}

export function RenewRecoveryCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const refreshProfile = useProfileRefresh()
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <SecondFactorStep text={texts.renewWords}>
      <FormWithQuestion
        fields={[passwordField, codeField]}
        submitLabel={texts.renew}
        onSubmit={(values) =>
          submitWithFieldErrors(async () => {
            setCodes((await send(renewRecoveryCodes, { body: readPasswordAndCode(values) })).recovery_codes)
            await refreshProfile()
          })
        }
      />
    </SecondFactorStep>
  )
}

const readPasswordAndCode = (values: Readonly<Record<string, unknown>>) => ({
  current_password: readPassword(values.current_password),
  code: readCode(values.code),
})
