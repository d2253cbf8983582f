import { useId, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { cpaWebsites, tryCpaWebsite } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { Button } from '../../components/actions/button.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import { Select } from '../../components/fields/select.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import type { FormValues } from '../../components/form/form.rules.ts'
import { HttpError, reasonOf, send } from '../../lib/http.ts'
import { useKeptFocus } from '../../components/kept-focus.hook.ts'
import { bodyOf, jsonProblem } from '../../resources/resource-fields.ts'
import { useCredentialsOf } from './connectors.query.ts'
import { tryTexts as texts } from './cpa-websites.texts.ts'
import classes from '../connectors/try.module.css'
import { TryResults } from '../connectors/try-results.tsx'

/** Milliseconds that the networks may take in all; the server itself gives up a little earlier. */
const patience = 65_000

type TryProps = { of: ReceivedRow<{ cpa_source_id: number }>; values: FormValues }

/** Tries a network as the form describes it, with a known credential or with what is typed here. */
export function TryCredential({ of, values }: TryProps) {
  const id = useId()
  const credentials = useCredentialsOf(of.cpa_source_id ?? null)
  const [picked, setPicked] = useState<string | null>(null)
  const [login, setLogin] = useState('')
  const [pass, setPass] = useState('')
  // The first one until another is picked.
  const chosen = picked ?? credentials?.[0]?.value ?? ''
  const wrong = values.mapping === '' ? null : jsonProblem(values.mapping ?? null)

  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => {
      if (wrong !== null) throw new Error(wrong)
      const account = chosen === '' ? { login, pass } : { source_credential_id: Number(chosen) }
      // An emptied connector is none, not the saved one.
      const body = { ...bodyOf(cpaWebsites, values), ...account, connector: values.connector ?? '' }
      return send(tryCpaWebsite, { params: { id: of.id }, body: body as object, patience })
    },
  })
  const button = useKeptFocus(isPending)
  const submit = () => {
    if (!isPending) mutate()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens for its fields
    <section
      className={classes.try}
      aria-labelledby={id}
      // Enter here tries; it does not save the form around it.
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
          value={chosen}
          onChange={setPicked}
        />
        {chosen === '' && (
          <>
            <TextField label={texts.login} value={login} onChange={setLogin} autoComplete="off" />
            <PasswordField label={texts.pass} value={pass} onChange={setPass} autoComplete="off" />
          </>
        )}
        <Button ref={button} loading={isPending} loadingText={texts.running} onClick={submit}>
          {texts.run}
        </Button>
      </div>
      <div aria-live="polite" className={classes.answer}>
        {error && !isPending && <Failed error={error} />}
        {data && !isPending && <TryResults answer={data} />}
      </div>
    </section>
  )
}

function Failed({ error }: { error: Error }) {
  const said = reasonOf(error)
  const rest = error instanceof HttpError ? error.errors.map(({ message }) => message) : []
  return (
    <div className={classes.failed}>
      <p>{texts.failed}</p>
      {[...new Set([said, ...rest])].map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}
