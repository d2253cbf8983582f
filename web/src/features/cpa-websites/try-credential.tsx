import { useId, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { cpaWebsites, tryCpaWebsite } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { Button } from '../../components/actions/button.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { Select } from '../../components/fields/select.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import type { FormValues } from '../../components/form/form.rules.ts'
import { HttpError, getErrorMessage, send } from '../../lib/http.ts'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { toRequestBody, validateJson } from '../../resources/resource-form.fields.ts'
import { useSourceCredentialOptions } from './connectors.query.ts'
import { tryTexts as texts } from './cpa-websites.texts.ts'
import classes from '../connectors/try.module.css'
import { TryResults } from '../connectors/try-results.tsx'

/** Milliseconds that the test may take. The server's own limit is a little lower. */
const timeoutMs = 65_000

type TryProps = { website: ReceivedRow<{ cpa_source_id: number }>; values: FormValues }

/** Tests a network with the values of the form and a stored credential, or with a typed login. */
export function TryCredential({ website, values }: TryProps) {
  const id = useId()
  const credentials = useSourceCredentialOptions(website.cpa_source_id ?? null)
  const [pickedCredential, setPickedCredential] = useState<string | null>(null)
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  // The first credential until the person picks another.
  const credential = pickedCredential ?? credentials?.[0]?.value ?? ''
  const mappingError = values.mapping === '' ? null : validateJson(values.mapping ?? null)

  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => {
      if (mappingError !== null) throw new Error(mappingError)
      const account =
        credential === '' ? { login, pass: password } : { source_credential_id: Number(credential) }
      // An empty connector means none, not the saved one.
      const body = { ...toRequestBody(cpaWebsites, values), ...account, connector: values.connector ?? '' }
      return send(tryCpaWebsite, { params: { id: website.id }, body: body as object, timeoutMs })
    },
  })
  const button = useFocusAfterBusy(isPending)
  const submit = () => {
    if (!isPending) mutate()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens for its fields
    <section
      className={classes.try}
      aria-labelledby={id}
      // Enter in this part runs the test. It does not save the form.
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        if (event.defaultPrevented || event.target.getAttribute('role') === 'combobox') return
        event.preventDefault()
        submit()
      }}
    >
      <h3 id={id}>{texts.title}</h3>
      <p>{texts.hint}</p>
      <div className={classes.account}>
        <Select
          label={texts.credential}
          options={credentials ?? []}
          emptyOption={texts.typed}
          value={credential}
          onChange={setPickedCredential}
        />
        {credential === '' && (
          <>
            <TextField label={texts.login} value={login} onChange={setLogin} autoComplete="off" />
            <PasswordField label={texts.pass} value={password} onChange={setPassword} autoComplete="off" />
          </>
        )}
        <Button ref={button} loading={isPending} loadingText={texts.running} onClick={submit}>
          {texts.run}
        </Button>
      </div>
      <div aria-live="polite" className={classes.answer}>
        {error && !isPending && <TryFailure error={error} />}
        {data && !isPending && <TryResults answer={data} />}
      </div>
    </section>
  )
}

function TryFailure({ error }: { error: Error }) {
  const message = getErrorMessage(error)
  const fieldMessages = error instanceof HttpError ? error.errors.map(({ message }) => message) : []
  return (
    <div className={classes.failed}>
      <p>{texts.failed}</p>
      {[...new Set([message, ...fieldMessages])].map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}
