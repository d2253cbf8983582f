import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { shortestPassword } from '@karvon/contract/lib/password.ts'
import { Button } from '../../components/actions/button.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { setByLink, withReason } from './accounts.api.ts'
import { accountsTexts } from './accounts.texts.ts'
import { AuthLayout, AuthMessage } from './auth-layout.tsx'
import classes from './auth-layout.module.css'

const texts = accountsTexts.reset

/** Milliseconds between the success and the sign-in form, as after a registration. */
const redirectDelay = 2000

/** A new password by a mailed link, whose token stands behind the `#`, where no server and no log sees it. */
export function ResetPasswordPage() {
  const hash = useLocation({ select: (location) => location.hash })
  const token = new URLSearchParams(hash).get('token') ?? ''
  // Another link in the same tab is another form.
  return (
    <AuthLayout title={texts.title}>
      <ResetForm key={token} token={token} />
    </AuthLayout>
  )
}

function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [confirmed, setConfirmed] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(token === '' ? texts.noLink : null)
  const [good, setGood] = useState(token !== '')
  const [done, setDone] = useState(false)

  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => void navigate({ to: '/login', replace: true }), redirectDelay)
    return () => clearTimeout(timer)
  }, [done, navigate])

  const submit = async () => {
    setError(null)
    if (password.length < shortestPassword) return setError(accountsTexts.tooShort)
    if (password !== confirmed) return setError(texts.mismatch)
    setBusy(true)
    try {
      const changed = await setByLink(token, password)
      setDone(changed)
      setGood(changed)
      if (!changed) setError(texts.noLink)
    } catch (failure) {
      setError(withReason(texts.failed, failure))
    } finally {
      setBusy(false)
    }
  }

  const field = { required: true, autoComplete: 'new-password' }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && !done) void submit()
      }}
    >
      <AuthMessage error={error} done={done ? texts.done : null} />
      {good ? (
        <>
          <PasswordField
            {...field}
            label={texts.password}
            name="password"
            value={password}
            onChange={setPassword}
          />
          <PasswordField
            {...field}
            label={texts.confirm}
            name="confirmPassword"
            value={confirmed}
            onChange={setConfirmed}
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
        </>
      ) : (
        <Link to="/forgot-password">{texts.again}</Link>
      )}
    </form>
  )
}
