import { lazy, startTransition, Suspense, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../components/actions/button.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { AuthLayout, AuthMessage } from './auth-layout.tsx'
import classes from './auth-layout.module.css'
import { authTexts } from './auth.texts.ts'
import { loginFailure, signIn, wantsCode } from './login.api.ts'

const texts = authTexts.login

// Few have a second factor, and everybody waits for this page.
const LoginCode = lazy(async () => ({ default: (await import('./login-code.tsx')).LoginCode }))

export function LoginPage() {
  const navigate = useNavigate()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [coding, setCoding] = useState(false)

  const submit = async () => {
    setError(null)
    if (username.trim() === '' || password === '') {
      setError(texts.empty)
      return
    }
    setBusy(true)
    try {
      await signIn(username.trim(), password)
      await navigate({ to: '/dashboard' })
    } catch (failure) {
      if (wantsCode(failure)) startTransition(() => setCoding(true))
      else setError(loginFailure(failure))
    } finally {
      setBusy(false)
    }
  }

  const back = (why: string | null) => {
    setCoding(false)
    setError(why)
  }

  if (coding) {
    return (
      <Suspense>
        <LoginCode username={username.trim()} password={password} onBack={back} />
      </Suspense>
    )
  }
  return (
    <AuthLayout title={texts.title}>
      <form
        className={classes.form}
        // The browser refuses an empty required field by itself; the reason is said here as well.
        onInvalidCapture={() => setError(texts.empty)}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <AuthMessage error={error} />
        <TextField
          label={authTexts.username}
          name="username"
          autoComplete="username"
          required
          value={username}
          onChange={setUsername}
        />
        <PasswordField
          label={authTexts.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <Button
          type="submit"
          tone="primary"
          full
          loading={busy}
          loadingText={texts.loading}
          className={classes.submit ?? ''}
        >
          {texts.submit}
        </Button>
      </form>
    </AuthLayout>
  )
}
