import { useState } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { loadSettings } from '../../lib/settings.query.ts'
import { getSettings } from '../../lib/settings.store.ts'
import { askForLink, withReason } from './accounts.api.ts'
import { AuthLayout, AuthMessage } from './auth-layout.tsx'
import classes from './auth-layout.module.css'
import { authTexts } from './auth.texts.ts'
import { simulateReset } from './simulated.api.ts'

const texts = authTexts.forgot

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [done, setDone] = useState(false)

  const submit = async () => {
    setError(null)
    setDone(false)
    setBusy(true)
    try {
      // The settings may still be under way; the simulation's own time is all that they are waited for.
      const simulated = simulateReset()
      const { password_reset: reset } = await Promise.race([loadSettings(), simulated.then(getSettings)])
      await (reset === 'live' ? askForLink(email) : simulated)
      setDone(true)
    } catch (failure) {
      setError(withReason(texts.failed, failure))
    } finally {
      setBusy(false)
    }
  }

  return (
    <AuthLayout title={texts.title} subtitle={texts.subtitle}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <AuthMessage error={error} done={done ? texts.done : null} />
        <TextField
          label={authTexts.email}
          name="email"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={setEmail}
        />
        <Button type="submit" tone="primary" full loading={busy} className={classes.submit ?? ''}>
          {texts.submit}
        </Button>
      </form>
    </AuthLayout>
  )
}
