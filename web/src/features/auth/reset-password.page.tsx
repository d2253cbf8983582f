import { maxPassword } from '@karvon/contract/lib/limits.ts'
import { useEffect, useState } from 'react'
import { minPasswordLength } from '@karvon/contract/lib/password.ts'
import { PageLink } from '../../components/actions/page-link.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { usePageLocation } from '../../lib/page-location.ts'
import { resetPasswordByLink, appendReason } from './accounts.api.ts'
import { accountsTexts } from './accounts.texts.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'

const texts = accountsTexts.reset

/** Milliseconds between the success and the sign-in form, as after a registration. */
const redirectDelay = 2000

/**
 * Sets a new password by a mailed link. The token is behind the `#`, so it is not sent to a server and is in
 * no log.
 */
export function ResetPasswordPage() {
  const { url } = usePageLocation()
  const token = new URLSearchParams(url.hash.slice(1)).get('token') ?? ''
  // Another link in the same tab starts a new form.
  return (
    <AuthLayout title={texts.title}>
      <ResetForm key={token} token={token} />
    </AuthLayout>
  )
}

function ResetForm({ token }: { token: string }) {
  const { navigate } = usePageLocation()
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<string | null>(token === '' ? texts.noLink : null)
  const [isLinkValid, setIsLinkValid] = useState(token !== '')
  const [isDone, setIsDone] = useState(false)

  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => void navigate('/login', { replace: true }), redirectDelay)
    return () => clearTimeout(timer)
  }, [isDone, navigate])

  const submit = async () => {
    setError(null)
    if (password.length < minPasswordLength) return setError(accountsTexts.tooShort)
    if (password !== confirmation) return setError(texts.mismatch)
    setIsBusy(true)
    try {
      const isChanged = await resetPasswordByLink(token, password)
      setIsDone(isChanged)
      setIsLinkValid(isChanged)
      if (!isChanged) setError(texts.noLink)
    } catch (failure) {
      setError(appendReason(texts.failed, failure))
    } finally {
      setIsBusy(false)
    }
  }

  const field = { required: true, maxLength: maxPassword, autoComplete: 'new-password' }
  return (
    <AuthForm
      error={error}
      done={isDone ? texts.done : null}
      isBusy={isBusy}
      disabled={isDone}
      submitLabel={isLinkValid ? texts.submit : null}
      onSubmit={submit}
    >
      {isLinkValid ? (
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
            value={confirmation}
            onChange={setConfirmation}
          />
        </>
      ) : (
        <PageLink to="/forgot-password">{texts.again}</PageLink>
      )}
    </AuthForm>
  )
}
