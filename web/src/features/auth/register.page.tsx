import { maxCode, maxEmail, maxPassword } from '@karvon/contract/lib/limits.ts'
import { useEffect, useState } from 'react'
import { minPasswordLength } from '@karvon/contract/lib/password.ts'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { usePageLocation } from '../../lib/page-location.ts'
import { loadSettings } from '../../lib/settings.query.ts'
import { getSettings } from '../../lib/settings.store.ts'
import { registerLive, appendReason } from './accounts.api.ts'
import { accountsTexts } from './accounts.texts.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth.texts.ts'
import { simulateRegister } from './simulated.api.ts'

const texts = authTexts.register

/** Milliseconds between the success and the sign-in form (specification, section 9). */
const redirectDelay = 2000

const empty = { username: '', email: '', password: '', confirmPassword: '' }

/** Registers a person, or simulates it on a host without live registration. `too-short`: the password is too short. */
async function register(
  person: Parameters<typeof registerLive>[0],
): Promise<'live' | 'simulated' | 'too-short'> {
  // The settings may still be loading. The form waits for them at most as long as the simulation takes.
  const simulation = simulateRegister()
  const { registration } = await Promise.race([loadSettings(), simulation.then(getSettings)])
  if (registration !== 'live') {
    await simulation
    return 'simulated'
  }
  if (person.password.length < minPasswordLength) return 'too-short'
  await registerLive(person)
  return 'live'
}

export function RegisterPage() {
  const { navigate } = usePageLocation()
  const toasts = useToasts()
  const [values, setValues] = useState(empty)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [isDone, setIsDone] = useState(false)
  const set = (key: keyof typeof empty) => (value: string) =>
    setValues((before) => ({ ...before, [key]: value }))

  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => void navigate('/login'), redirectDelay)
    return () => clearTimeout(timer)
  }, [isDone, navigate])

  const submit = async () => {
    setError(null)
    const { username, email, password } = values
    if (password !== values.confirmPassword) {
      setError(texts.mismatch)
      return
    }
    setIsBusy(true)
    try {
      const result = await register({ username, email, password })
      if (result === 'too-short') {
        setError(accountsTexts.tooShort)
        return
      }
      setIsDone(true)
      if (result === 'live') toasts.show({ title: texts.title, text: accountsTexts.activation })
    } catch (failure) {
      setError(appendReason(texts.failed, failure))
    } finally {
      setIsBusy(false)
    }
  }

  const password = { required: true, maxLength: maxPassword, autoComplete: 'new-password' }
  return (
    <AuthLayout title={texts.title}>
      <AuthForm
        error={error}
        done={isDone ? texts.done : null}
        isBusy={isBusy}
        disabled={isDone}
        submitLabel={texts.submit}
        onSubmit={submit}
      >
        <TextField
          label={authTexts.username}
          name="username"
          maxLength={maxCode}
          autoComplete="username"
          required
          value={values.username}
          onChange={set('username')}
        />
        <TextField
          label={authTexts.email}
          name="email"
          maxLength={maxEmail}
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
      </AuthForm>
    </AuthLayout>
  )
}
