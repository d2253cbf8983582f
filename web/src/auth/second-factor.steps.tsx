import { useState, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '@karvon/contract/auth/second-factor.ts'
import { Button } from '../ui/actions/button.tsx'
import type { FormField } from '../ui/form/form.rules.ts'
import { Form, type SubmitResult } from '../ui/form/form.tsx'
import { useToasts } from '../ui/overlay/toasts.tsx'
import { useCopy } from '../kit/copy.hook.ts'
import { HttpError, reasonOf, send } from '../kit/http.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { QrCode } from './second-factor.qr.tsx'
import classes from './second-factor.module.css'
import { secondFactorTexts as texts } from './second-factor.texts.ts'

const password: FormField = {
  name: 'current_password',
  label: texts.currentPassword,
  kind: 'password',
  required: true,
  autoComplete: 'current-password',
  maxLength: 256,
}

const appCode: FormField = {
  name: 'code',
  label: texts.code,
  hint: texts.codeHint,
  kind: 'text',
  required: true,
  autoComplete: 'one-time-code',
  inputMode: 'numeric',
  maxLength: 64,
}

const anyCode: FormField = {
  name: 'code',
  label: texts.codeOrRecovery,
  kind: 'text',
  required: true,
  autoComplete: 'one-time-code',
  maxLength: 64,
}

const word = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const secretOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Does it, and puts a refusal beside its field. */
async function tried(work: () => Promise<void>): Promise<SubmitResult> {
  try {
    await work()
    return { ok: true }
  } catch (failure) {
    const known = failure instanceof HttpError ? failure.errors : []
    const errors = Object.fromEntries(known.map(({ field, message }) => [field, message]))
    return { ok: false, message: reasonOf(failure), errors }
  }
}

/** After a change: what the profile and its sessions are now. */
function useChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all(['profile', 'sessions'].map((key) => client.invalidateQueries({ queryKey: [key] })))
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
      <Step words={texts.what}>
        <Form
          key="password"
          fields={[password]}
          submitLabel={texts.begin}
          onSubmit={(values) =>
            tried(async () =>
              setBegun(
                await send(beginSecondFactor, {
                  body: { current_password: secretOf(values.current_password) },
                }),
              ),
            )
          }
        />
      </Step>
    )
  }
  return (
    <Step words={texts.scan}>
      <QrCode text={begun.uri} label={texts.qr} />
      <Secret secret={begun.secret} />
      <Form
        key="code"
        fields={[appCode]}
        submitLabel={texts.confirm}
        onSubmit={(values) =>
          tried(async () => {
            const { recovery_codes } = await send(confirmSecondFactor, { body: { code: word(values.code) } })
            toasts.show({ title: texts.turnedOn })
            setCodes(recovery_codes)
            await changed()
          })
        }
      />
    </Step>
  )
}

export function TurnOff({ onDone }: { onDone: () => void }) {
  const changed = useChanged()
  const toasts = useToasts()
  return (
    <Form
      fields={[password, anyCode]}
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
  )
}

export function Renew({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const changed = useChanged()
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <Form
      fields={[password, anyCode]}
      submitLabel={texts.renew}
      onSubmit={(values) =>
        tried(async () => {
          setCodes((await send(renewRecoveryCodes, { body: bothOf(values) })).recovery_codes)
          await changed()
        })
      }
    />
  )
}

const bothOf = (values: Readonly<Record<string, unknown>>) => ({
  current_password: secretOf(values.current_password),
  code: word(values.code),
})

function Step({ words, children }: { words: string; children: ReactNode }) {
  return (
    <div className={classes.step}>
      <p className={classes.words}>{words}</p>
      {children}
    </div>
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
