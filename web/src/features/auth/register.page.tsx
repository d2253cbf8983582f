import { useEffect, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { shortestPassword } from '@karvon/contract/lib/password.ts'
import { Button } from '../../components/actions/button.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { loadSettings } from '../../lib/settings.query.ts'
import { getSettings } from '../../lib/settings.store.ts'
import { registerLive, withReason } from './accounts.api.ts'
import { accountsTexts } from './accounts.texts.ts'
import { AuthLayout, AuthMessage } from './auth-layout.tsx'
import classes from './auth-layout.module.css'
import { authTexts } from './auth.texts.ts'
import { simulateRegister } from './simulated.api.ts'

const texts = authTexts.register

/** Milliseconds between the success and the sign-in form (specification, section 9). */
const redirectDelay = 2000

const empty = { username: '', email: '', password: '', confirmPassword: '' }

export function RegisterPage() {
  const navigate = useNavigate()
  const toasts = useToasts()
  const [values, setValues] = useState(empty)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [done, setDone] = useState(false)
  const set = (key: keyof typeof empty) => (value: string) =>
    setValues((before) => ({ ...before, [key]: value }))

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => void navigate({ to: '/login' }), redirectDelay)
    return () => clearTimeout(timer)
  }, [done, navigate])

  const submit = async () => {
    setError(null)
    const { username, email, password } = values
    if (password !== values.confirmPassword) {
      setError(texts.mismatch)
      return
    }
    setBusy(true)
    try {
      // The settings may still be under way; the simulation's own time is all that they are waited for.
      const simulated = simulateRegister()
      const { registration } = await Promise.race([loadSettings(), simulated.then(getSettings)])
      const live = registration === 'live'
      if (live && password.length < shortestPassword) {
        setError(accountsTexts.tooShort)
        return
      }
      await (live ? registerLive({ username, email, password }) : simulated)
      setDone(true)
      if (live) toasts.show({ title: texts.title, text: accountsTexts.activation })
    } catch (failure) {
      setError(withReason(texts.failed, failure))
    } finally {
      setBusy(false)
    }
  }

  const password = { required: true, autoComplete: 'new-password' }
  return (
    <AuthLayout title={texts.title}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && !done) void submit()
        }}
      >
        <AuthMessage error={error} done={done ? texts.done : null} />
        <TextField
          label={authTexts.username}
          name="username"
          autoComplete="username"
          required
          value={values.username}
          onChange={set('username')}
        />
        <TextField
          label={authTexts.email}
          name="email"
          type="email"
          autoComplete="email"
          required
          value={values.email}
          onChange={set('email')}
        />
        <PasswordField
          {...password}
          label={authTexts.password}
          name="password"
          value={values.password}
          onChange={set('password')}
        />
        <PasswordField
          {...password}
          label={texts.confirm}
          name="confirmPassword"
          value={values.confirmPassword}
          onChange={set('confirmPassword')}
        />
        <Button
          type="submit"
          tone="primary"
          full
          loading={busy}
          disabled={done}
          className={classes.submit ?? ''}
        >
          {texts.submit}
        </Button>
      </form>
    </AuthLayout>
  )
}
