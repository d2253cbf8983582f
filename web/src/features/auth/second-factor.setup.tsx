import { useState } from 'react'
import { beginSecondFactor, confirmSecondFactor } from '@karvon/contract/auth/second-factor.ts'
import { Button } from '../../components/actions/button.tsx'
import type { FormField } from '../../components/form/form.rules.ts'
import { Form } from '../../components/form/form.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { useCopy } from '../../components/copy.hook.ts'
import { send } from '../../lib/http.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { codeOf, passwordField, passwordOf, Step, useChanged } from './second-factor.form.tsx'
import classes from './second-factor.module.css'
import { QrCode } from './second-factor.qr.tsx'
import { secondFactorTexts as texts } from './second-factor.texts.ts'
import { tried } from '../../components/form/tried.ts'

const codeField: FormField = {
  name: 'code',
  label: texts.code,
  hint: texts.codeHint,
  kind: 'text',
  required: true,
  autoComplete: 'one-time-code',
  inputMode: 'numeric',
  maxLength: 64,
}

/** The password, then the app's first code, then the recovery codes. */
export function SetUp({ onDone }: { onDone: () => void }) {
  const [begun, setBegun] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const changed = useChanged()
  const toasts = useToasts()
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (begun === null) {
    return (
      <Step key="password" words={texts.what}>
        <Form
          fields={[passwordField]}
          submitLabel={texts.begin}
          onSubmit={(values) =>
            tried(async () =>
              setBegun(
                await send(beginSecondFactor, {
                  body: { current_password: passwordOf(values.current_password) },
                }),
              ),
            )
          }
        />
      </Step>
    )
  }
  return (
    <Step key="code" words={texts.scan}>
      <QrCode text={begun.uri} label={texts.qr} />
      <Secret secret={begun.secret} />
      <Form
        fields={[codeField]}
        submitLabel={texts.confirm}
        onSubmit={(values) =>
          tried(async () => {
            const { recovery_codes } = await send(confirmSecondFactor, {
              body: { code: codeOf(values.code) },
            })
            toasts.show({ title: texts.turnedOn })
            setCodes(recovery_codes)
            await changed()
          })
        }
      />
    </Step>
  )
}

function Secret({ secret }: { secret: string }) {
  const { shown, copy } = useCopy<HTMLElement>(texts)
  return (
    <div className={classes.row}>
      <span>
        {texts.secret}{' '}
        <code ref={shown} className="mono">
          {secret}
        </code>
      </span>
      <Button onClick={() => void copy(secret)}>{texts.copySecret}</Button>
    </div>
  )
}
