import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Button } from '../../components/actions/button.tsx'
import { Logo } from '../../components/actions/brand.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { LanguagePicker } from '../../lib/i18n/language-picker.tsx'
import { ThemeToggle } from '../../components/theme/theme-toggle.tsx'
import { track, trackFailure } from './track.api.ts'
import { Tracked } from './tracked.tsx'
import classes from './tracking.module.css'
import { trackTexts as texts } from './tracking.texts.ts'

/** Where a parcel is, for its receiver, who signs in nowhere. */
export function TrackPage() {
  const { orderno: given }: { orderno?: string } = useParams({ strict: false })
  return (
    <Frame key={given} title={given === undefined ? texts.title : texts.titleOf(given)}>
      <Search given={given} />
    </Frame>
  )
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – ${texts.brand}`
  }, [title])
  return (
    <div className={classes.screen}>
      <header className={classes.head}>
        <Logo />
        <div className={classes.corner}>
          <LanguagePicker label={texts.language} />
          <ThemeToggle />
        </div>
      </header>
      <main className={classes.box}>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}

type Wrong = { orderno?: string; phone?: string }

function Search({ given }: { given: string | undefined }) {
  const [orderno, setOrderno] = useState(given ?? '')
  const [phone, setPhone] = useState('')
  const [wrong, setWrong] = useState<Wrong>({})
  const form = useRef<HTMLFormElement>(null)
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => track(orderno.trim(), phone.trim()),
  })

  const submit = () => {
    const found: Wrong = {
      ...(orderno.trim() === '' && { orderno: texts.noOrder }),
      ...(!/^\d{4}$/.test(phone.trim()) && { phone: texts.noDigits }),
    }
    setWrong(found)
    if (found.orderno === undefined && found.phone === undefined) mutate()
    else form.current?.querySelector<HTMLElement>(found.orderno ? '[name=orderno]' : '[name=phone]')?.focus()
  }
  if (data) {
    return (
      <>
        <Tracked of={data} named={given !== undefined} />
        {given === undefined ? (
          <Button onClick={() => reset()}>{texts.another}</Button>
        ) : (
          <Link to="/track">{texts.another}</Link>
        )}
      </>
    )
  }
  return (
    <form
      ref={form}
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) submit()
      }}
    >
      <p className={classes.quiet}>{given === undefined ? texts.subtitle : texts.digitsOnly}</p>
      <div role="alert" className={classes.failed}>
        {error && !isPending && trackFailure(error)}
      </div>
      {given === undefined && (
        <TextField
          label={texts.orderno}
          name="orderno"
          required
          maxLength={100}
          autoComplete="off"
          value={orderno}
          onChange={setOrderno}
          error={wrong.orderno ?? null}
        />
      )}
      <TextField
        label={texts.phone}
        name="phone"
        type="tel"
        required
        maxLength={4}
        autoComplete="off"
        value={phone}
        onChange={setPhone}
        error={wrong.phone ?? null}
      />
      <Button type="submit" tone="primary" full loading={isPending} loadingText={texts.loading}>
        {texts.submit}
      </Button>
    </form>
  )
}
