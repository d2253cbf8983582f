import { useState } from 'react'
import { renewRecoveryCodes, turnOffSecondFactor } from '@karvon/contract/auth/second-factor.ts'
import type { FormField } from '../../components/form/form.rules.ts'
import { Form } from '../../components/form/form.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { codeOf, passwordField, passwordOf, Step, useChanged } from './second-factor.form.tsx'
import { secondFactorTexts as texts } from './second-factor.texts.ts'
import { tried } from '../../components/form/tried.ts'

const codeField: FormField = {
  name: 'code',
  label: texts.codeOrRecovery,
  kind: 'text',
  required: true,
  autoComplete: 'one-time-code',
  maxLength: 64,
}

export function TurnOff({ onDone }: { onDone: () => void }) {
  const changed = useChanged()
  const toasts = useToasts()
  return (
    <Step words={texts.offWords}>
      <Form
        fields={[passwordField, codeField]}
        submitLabel={texts.turnOff}
        onSubmit={(values) =>
          tried(async () => {
            await send(turnOffSecondFactor, { body: bothOf(values) })
            toasts.show({ title: texts.turnedOff })
            onDone()
            await changed()
          })
        }
      />
    </Step>
  )
}

export function Renew({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const changed = useChanged()
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <Step words={texts.renewWords}>
      <Form
        fields={[passwordField, codeField]}
        submitLabel={texts.renew}
        onSubmit={(values) =>
          tried(async () => {
            setCodes((await send(renewRecoveryCodes, { body: bothOf(values) })).recovery_codes)
            await changed()
          })
        }
      />
    </Step>
  )
}

const bothOf = (values: Readonly<Record<string, unknown>>) => ({
  current_password: passwordOf(values.current_password),
  code: codeOf(values.code),
})
