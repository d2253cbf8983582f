import { useState } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { HttpError } from '../../lib/http.ts'
import { usePageLocation } from '../../lib/page-location.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth.texts.ts'
import { getLoginError, signIn } from './login.api.ts'
import { loginCodeTexts as texts } from './login-code.texts.ts'

type LoginCodeProps = {
  username: string
  password: string
  /** Returns to the password. `why`: the error, if it is about the password. */
  onBack: (why: string | null) => void
}

// The field has just replaced another field.
const focusField = (field: HTMLInputElement | null) => field?.focus()

/** The second step of the sign-in: a code of the authenticator app, or a recovery code. */
export function LoginCode({ username, password, onBack }: LoginCodeProps) {
  const { navigate } = usePageLocation()
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false)
  const [code, setCode] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const submit = async () => {
    setError(null)
    if (code.trim() === '') {
      setError(texts.empty)
      return
    }
    setIsBusy(true)
    try {
      await signIn(username, password, code.trim())
      await navigate('/dashboard')
    } catch (failure) {
      setIsBusy(false)
      if (!(failure instanceof HttpError) || failure.status !== 401) setError(getLoginError(failure))
      else if (failure.code === 'second_factor_wrong') setError(texts.wrong)
      else onBack(getLoginError(failure))
    }
  }
  const switchCodeKind = () => {
    setUsesRecoveryCode(!usesRecoveryCode)
    setCode('')
    setError(null)
  }

  return (
    <AuthLayout title={texts.title} subtitle={usesRecoveryCode ? texts.fromList : texts.fromApp}>
      <AuthForm
        error={error}
        isBusy={isBusy}
        submitLabel={authTexts.login.submit}
        loadingText={authTexts.login.loading}
        onSubmit={submit}
        onInvalid={() => setError(texts.empty)}
        links={
          <>
            <Button tone="ghost" full onClick={switchCodeKind}>
              {usesRecoveryCode ? texts.withApp : texts.withRecovery}
            </Button>
            <Button tone="ghost" full onClick={() => onBack(null)}>
              {texts.back}
            </Button>
          </>
        }
      >
        <TextField
          key={String(usesRecoveryCode)}
          label={usesRecoveryCode ? texts.recoveryCode : texts.code}
          name="code"
          autoComplete={usesRecoveryCode ? 'off' : 'one-time-code'}
          inputMode={usesRecoveryCode ? undefined : 'numeric'}
          maxLength={64}
          required
          ref={focusField}
          value={code}
          onChange={setCode}
        />
      </AuthForm>
    </AuthLayout>
  )
}
