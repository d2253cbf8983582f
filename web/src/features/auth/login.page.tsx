import { maxCode, maxPassword } from '@karvon/contract/lib/limits.ts'
import { lazy, Suspense, useState } from 'react'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { usePageLocation } from '../../lib/page-location.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth.texts.ts'
import { getLoginError, signIn, needsCode } from './login.api.ts'

const texts = authTexts.login

// Few people have a second factor, and everybody waits for this page.
const loadLoginCode = () => import('./login-code.tsx')
const LoginCode = lazy(async () => ({ default: (await loadLoginCode()).LoginCode }))

export function LoginPage() {
  const { navigate, preload } = usePageLocation()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [isCodeNeeded, setIsCodeNeeded] = useState(false)

  const submit = async () => {
    setError(null)
    if (username.trim() === '' || password === '') {
      setError(texts.empty)
      return
    }
    setIsBusy(true)
    try {
      await signIn(username.trim(), password)
      await navigate('/dashboard')
    } catch (failure) {
      if (needsCode(failure)) {
        // The password stays on the screen until the code's form can be shown.
        await loadLoginCode().catch(() => undefined)
        setIsCodeNeeded(true)
      } else setError(getLoginError(failure))
    } finally {
      setIsBusy(false)
    }
  }

  const returnToPassword = (reason: string | null) => {
    setIsCodeNeeded(false)
    setError(reason)
  }

  if (isCodeNeeded) {
    return (
      <Suspense>
        <LoginCode username={username.trim()} password={password} onBack={returnToPassword} />
      </Suspense>
    )
  }
  return (
    <AuthLayout title={texts.title}>
      <AuthForm
        error={error}
        isBusy={isBusy}
        submitLabel={texts.submit}
        loadingText={texts.loading}
        onSubmit={submit}
        // The browser blocks an empty required field. The page shows the reason, too.
        onInvalid={() => setError(texts.empty)}
      >
        <TextField
          label={authTexts.username}
          name="username"
          maxLength={maxCode}
          autoComplete="username"
          required
          value={username}
          onChange={setUsername}
        />
        <PasswordField
          label={authTexts.password}
          name="password"
          maxLength={maxPassword}
          autoComplete="current-password"
          required
          value={password}
          onChange={(typedPassword) => {
            // The app loads while the person types.
            if (password === '') preload('/dashboard')
            setPassword(typedPassword)
          }}
        />
      </AuthForm>
    </AuthLayout>
  )
}
