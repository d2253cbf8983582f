import { useState } from 'react'
import { beginSecondFactor, confirmSecondFactor } from '@karvon/contract/auth/second-factor.ts'
import { Button } from '../../components/actions/button.tsx'
import type { FormField } from '../../components/form/form.rules.ts'
import { FormWithQuestion } from '../../components/form/form-with-question.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { useCopy } from '../../components/copy.hook.ts'
import { send } from '../../lib/http.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import {
  readCode,
  passwordField,
  readPassword,
  SecondFactorStep,
  useProfileRefresh,
} from './second-factor.form.tsx'
import classes from './second-factor.module.css'
import { QrCode } from './second-factor.qr.tsx'
import { secondFactorTexts as texts } from './second-factor.texts.ts'
import { submitWithFieldErrors } from '../../components/form/submit.ts'

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

/** Sets up the second factor: the password, the first code of the app, then the recovery codes. */
export function SetUpSecondFactor({ onDone }: { onDone: () => void }) {
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const refreshProfile = useProfileRefresh()
  const toasts = useToasts()
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (setup === null) {
    return (
      <SecondFactorStep key="password" text={texts.what}>
        <FormWithQuestion
          fields={[passwordField]}
          submitLabel={texts.begin}
          onSubmit={(values) =>
            submitWithFieldErrors(async () =>
              setSetup(
                await send(beginSecondFactor, {
                  body: { current_password: readPassword(values.current_password) },
                }),
              ),
            )
          }
        />
      </SecondFactorStep>
    )
  }
  return (
    <SecondFactorStep key="code" text={texts.scan}>
      <QrCode text={setup.uri} label={texts.qr} />
      <Secret secret={setup.secret} />
      <FormWithQuestion
        fields={[codeField]}
        submitLabel={texts.confirm}
        onSubmit={(values) =>
          submitWithFieldErrors(async () => {
            const { recovery_codes } = await send(confirmSecondFactor, {
              body: { code: readCode(values.code) },
            })
            toasts.show({ title: texts.turnedOn })
            setCodes(recovery_codes)
            await refreshProfile()
          })
        }
      />
    </SecondFactorStep>
  )
}

function Secret({ secret }: { secret: string }) {
  const { textRef, copy } = useCopy<HTMLElement>(texts)
  return (
    <div className={classes.row}>
      <span>
        {texts.secret}{' '}
        <code ref={textRef} className="mono">
          {secret}
        </code>
      </span>
      <Button onClick={() => void copy(secret)}>{texts.copySecret}</Button>
    </div>
  )
}
