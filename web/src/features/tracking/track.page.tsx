import { isTooLong } from '../../components/fields/max-length.ts'
import { maxCode } from '@karvon/contract/lib/limits.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Button } from '../../components/actions/button.tsx'
import { Logo } from '../../components/actions/brand.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { LanguagePicker } from '../../lib/i18n/language-picker.tsx'
import { ThemeToggle } from '../../components/theme/theme-toggle.tsx'
import { track, getTrackError } from './track.api.ts'
import { TrackingResult } from './tracked-parcel.tsx'
import classes from './tracking.module.css'
import { trackTexts as texts } from './tracking.texts.ts'

/** The tracking page for receivers. It needs no sign-in. */
export function TrackPage() {
  const { orderno: givenOrderno }: { orderno?: string } = useParams({ strict: false })
  return (
    <TrackFrame
      key={givenOrderno}
      title={givenOrderno === undefined ? texts.title : texts.titleOf({ orderno: givenOrderno })}
    >
      <TrackForm givenOrderno={givenOrderno} />
    </TrackFrame>
  )
}

function TrackFrame({ title, children }: { title: string; children: ReactNode }) {
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

type TrackErrors = { orderno?: string; phone?: string }

function TrackForm({ givenOrderno }: { givenOrderno: string | undefined }) {
  const [orderno, setOrderno] = useState(givenOrderno ?? '')
  const [phone, setPhone] = useState('')
  const [errors, setErrors] = useState<TrackErrors>({})
  const form = useRef<HTMLFormElement>(null)
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => track(orderno.trim(), phone.trim()),
  })

  const submit = () => {
    const fieldErrors: TrackErrors = {
      ...(orderno.trim() === '' && { orderno: texts.noOrder }),
      ...(!/^\d{4}$/.test(phone.trim()) && { phone: texts.noDigits }),
    }
    setErrors(fieldErrors)
    const isValid = fieldErrors.orderno === undefined && fieldErrors.phone === undefined
    if (isValid && !isTooLong(orderno.trim(), maxCode)) mutate()
    else
      form.current
        ?.querySelector<HTMLElement>(fieldErrors.orderno ? '[name=orderno]' : '[name=phone]')
        ?.focus()
  }
  if (data) {
    return (
      <>
        <TrackingResult parcel={data} isNumberShown={givenOrderno !== undefined} />
        {givenOrderno === undefined ? (
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
      <p className={classes.quiet}>{givenOrderno === undefined ? texts.subtitle : texts.digitsOnly}</p>
      <div role="alert" className={classes.failed}>
        {error && !isPending && getTrackError(error)}
      </div>
      {givenOrderno === undefined && (
        <TextField
          label={texts.orderno}
          name="orderno"
          required
          maxLength={maxCode}
          autoComplete="off"
          value={orderno}
          onChange={setOrderno}
          error={errors.orderno ?? null}
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
        error={errors.phone ?? null}
      />
      <Button type="submit" tone="primary" full loading={isPending} loadingText={texts.loading}>
        {texts.submit}
      </Button>
    </form>
  )
}
