import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../components/actions/button.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { HttpError } from '../../lib/http.ts'
import { AuthLayout, AuthMessage } from './auth-layout.tsx'
import classes from './auth-layout.module.css'
import { authTexts } from './auth.texts.ts'
import { loginFailure, signIn } from './login.api.ts'
import { loginCodeTexts as texts } from './login-code.texts.ts'

type LoginCodeProps = {
  username: string
  password: string
  /** Back to the password; with a failure in words where it is the password's. */
  onBack: (why: string | null) => void
}

/** The second step of the sign-in: a code of the authenticator app, or a recovery code in its place. */
export function LoginCode({ username, password, onBack }: LoginCodeProps) {
  const navigate = useNavigate()
  const [recovering, setRecovering] = useState(false)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const submit = async () => {
    setError(null)
    if (code.trim() === '') {
      setError(texts.empty)
      return
    }
    setBusy(true)
    try {
      await signIn(username, password, code.trim())
      await navigate({ to: '/dashboard' })
    } catch (failure) {
      setBusy(false)
      if (!(failure instanceof HttpError) || failure.status !== 401) setError(loginFailure(failure))
      else if (failure.code === 'second_factor_wrong') setError(texts.wrong)
      else onBack(loginFailure(failure))
    }
  }
  const change = () => {
    setRecovering(!recovering)
    setCode('')
    setError(null)
  }

  return (
    <AuthLayout title={texts.title} subtitle={recovering ? texts.fromList : texts.fromApp}>
      <form
        className={classes.form}
        onInvalidCapture={() => setError(texts.empty)}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <AuthMessage error={error} />
        <TextField
          key={String(recovering)}
          label={recovering ? texts.recoveryCode : texts.code}
          name="code"
          autoComplete={recovering ? 'off' : 'one-time-code'}
          inputMode={recovering ? undefined : 'numeric'}
          maxLength={64}
          required
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field has just taken the place of another
          autoFocus
          value={code}
          onChange={setCode}
        />
        <Button
          type="submit"
          tone="primary"
          full
          loading={busy}
          loadingText={authTexts.login.loading}
          className={classes.submit ?? ''}
        >
          {authTexts.login.submit}
        </Button>
        <Button tone="ghost" full onClick={change}>
          {recovering ? texts.withApp : texts.withRecovery}
        </Button>
        <Button tone="ghost" full onClick={() => onBack(null)}>
          {texts.back}
        </Button>
      </form>
    </AuthLayout>
  )
}
