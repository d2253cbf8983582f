import { maxEmail } from '@karvon/contract/lib/limits.ts'
import { useState } from 'react'
import { TextField } from '../../components/fields/text-field.tsx'
import { loadSettings } from '../../lib/settings.query.ts'
import { getSettings } from '../../lib/settings.store.ts'
import { requestResetLink, appendReason } from './accounts.api.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth.texts.ts'
import { simulateReset } from './simulated.api.ts'

const texts = authTexts.forgot

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [isDone, setIsDone] = useState(false)

  const submit = async () => {
    setError(null)
    setIsDone(false)
    setIsBusy(true)
    try {
      // The settings may still be loading. The form waits for them at most as long as the simulation takes.
      const simulation = simulateReset()
      const { password_reset: reset } = await Promise.race([loadSettings(), simulation.then(getSettings)])
      await (reset === 'live' ? requestResetLink(email) : simulation)
      setIsDone(true)
    } catch (failure) {
      setError(appendReason(texts.failed, failure))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <AuthLayout title={texts.title} subtitle={texts.subtitle}>
      <AuthForm
        error={error}
        done={isDone ? texts.done : null}
        isBusy={isBusy}
        submitLabel={texts.submit}
        onSubmit={submit}
      >
        <TextField
          label={authTexts.email}
          name="email"
          maxLength={maxEmail}
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={setEmail}
        />
      </AuthForm>
    </AuthLayout>
  )
}
