import { isTooLong } from '../../components/fields/max-length.ts'
import { maxCode } from '@karvon/contract/lib/limits.ts'
import type { TrackedParcel } from '@karvon/contract/tracking/tracking.ts'
import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { PageLink } from '../../components/actions/page-link.tsx'
import { Logo } from '../../components/actions/brand.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { LanguagePicker } from '../../lib/i18n/language-picker.tsx'
import { usePageLocation } from '../../lib/page-location.ts'
import { ThemeToggle } from '../../components/theme/theme-toggle.tsx'
import { track, getTrackError } from './track.api.ts'
import { TrackingResult } from './tracked-parcel.tsx'
import classes from './tracking.module.css'
import { trackTexts as texts } from './tracking.texts.ts'

/** The order number behind `/track/`. Undefined where the path has none, or none that can be read. */
function readOrderno(pathname: string): string | undefined {
  const text = /^\/track\/([^/]+)/i.exec(pathname)?.[1] ?? ''
  try {
    return decodeURIComponent(text).trim() || undefined
  } catch {
    return undefined
  }
}

/** The tracking page for receivers. It needs no sign-in. */
export function TrackPage() {
  const { url } = usePageLocation()
  const givenOrderno = readOrderno(url.pathname)
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

/** The digits without what separates them on a parcel: 45-67. */
const readDigits = (phone: string): string => phone.replaceAll(/[\s-]/g, '')

const validate = (orderno: string, phone: string): TrackErrors => ({
  ...(orderno === '' && { orderno: texts.noOrder }),
  ...(!/^\d{4}$/.test(phone) && { phone: texts.noDigits }),
})

/** The parcel that was asked for, and why it was not found. */
function useTracking() {
  const [parcel, setParcel] = useState<TrackedParcel | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const load = async (orderno: string, digits: string) => {
    setFailure(null)
    setIsPending(true)
    try {
      setParcel(await track(orderno, digits))
    } catch (error) {
      setFailure(getTrackError(error))
    } finally {
      setIsPending(false)
    }
  }
  return { parcel, failure, isPending, load, clear: () => setParcel(null) }
}

function TrackForm({ givenOrderno }: { givenOrderno: string | undefined }) {
  const [orderno, setOrderno] = useState(givenOrderno ?? '')
  const [phone, setPhone] = useState('')
  const [errors, setErrors] = useState<TrackErrors>({})
  const { parcel, failure, isPending, load, clear } = useTracking()
  const form = useFocusAfterBusy<HTMLFormElement>(isPending)

  // The focused button disappears with the parcel.
  const [isNext, setIsNext] = useState(false)
  useEffect(() => {
    if (isNext) form.current?.querySelector('input')?.focus()
  }, [isNext, form])

  const submit = () => {
    const fieldErrors = validate(orderno.trim(), readDigits(phone))
    setErrors(fieldErrors)
    // A number of the address has no field. The server answers that there is no such parcel.
    const isOrdernoWrong =
      givenOrderno === undefined && (fieldErrors.orderno !== undefined || isTooLong(orderno.trim(), maxCode))
    if (!isOrdernoWrong && fieldErrors.phone === undefined) {
      setIsNext(false)
      void load(orderno.trim(), readDigits(phone))
    } else
      form.current?.querySelector<HTMLElement>(isOrdernoWrong ? '[name=orderno]' : '[name=phone]')?.focus()
  }
  const showNext = () => {
    clear()
    setIsNext(true)
  }
  if (parcel) {
    const isNumberShown = givenOrderno !== undefined
    return (
      <>
        <TrackingResult parcel={parcel} isNumberShown={isNumberShown} />
        {isNumberShown ? (
          <PageLink to="/track">{texts.another}</PageLink>
        ) : (
          <Button onClick={showNext}>{texts.another}</Button>
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
        {failure}
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
