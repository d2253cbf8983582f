import { minPasswordLength } from '@karvon/contract/lib/password.ts'
import { maxEmail, maxLine, maxPassword } from '@karvon/contract/lib/limits.ts'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getProfile, putProfile } from '@karvon/contract/auth/auth.ts'
import { Card } from '../../components/display/card.tsx'
import { SkeletonOf } from '../../components/display/skeleton.tsx'
import {
  getInitialValues,
  type FieldValue,
  type FormField,
  type FormValues,
} from '../../components/form/form.rules.ts'
import { Form, type FormProps } from '../../components/form/form.tsx'
import { lazyOptional } from '../../components/lazy-optional.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { WithFeature } from '../../resources/feature.tsx'
import { send } from '../../lib/http.ts'
import { takeDraft } from '../../lib/session.draft.ts'
import { QueryContent } from '../../resources/query-content.tsx'
import { profileTexts as texts } from './profile.texts.ts'
import classes from './profile.module.css'
import { useNeedsSecondFactor } from './second-factor.required.hook.ts'
import { SessionsCard } from './sessions.card.tsx'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** `email` is the current address. Keeping it needs no password. */
const getOwnFields = (email: string): readonly FormField[] => [
  { name: 'name', label: texts.name, kind: 'text', required: true, autoComplete: 'name', maxLength: maxLine },
  {
    name: 'email',
    label: texts.email,
    kind: 'email',
    required: true,
    autoComplete: 'email',
    maxLength: maxEmail,
    validate: (value, values) =>
      value !== email && readText(values.current_password) === '' ? texts.emailNeedsPassword : null,
  },
  {
    name: 'current_password',
    label: texts.current,
    kind: 'password',
    hint: texts.forEmail,
    autoComplete: 'current-password',
    maxLength: maxPassword,
  },
]

const passwordFields: readonly FormField[] = [
  {
    name: 'current_password',
    label: texts.current,
    kind: 'password',
    required: true,
    autoComplete: 'current-password',
  },
  {
    name: 'password',
    label: texts.next,
    kind: 'password',
    required: true,
    maxLength: maxPassword,
    validate: (value) => (readText(value).length < minPasswordLength ? texts.tooShort : null),
  },
  {
    name: 'repeat',
    label: texts.repeat,
    kind: 'password',
    required: true,
    validate: (value, values) => (value === values.password ? null : texts.mismatch),
  },
]

const readText = (value: FieldValue | undefined) => (typeof value === 'string' ? value : '')
const pickValues = (values: FormValues, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, readText(values[key])]))

// Most people only read the profile, so the code for drafts loads when a person types.
const DraftKeeper = lazyOptional(
  async () => (await import('../../components/form/form-with-draft.tsx')).DraftKeeper,
)

type ProfileFormProps = Omit<FormProps, 'onSuccess'> & { name: string }

/** A form that starts again after each save, from the saved values. Its button then has the focus. */
function ProfileForm(props: ProfileFormProps) {
  const box = useRef<HTMLDivElement>(null)
  const [saveCount, setSaveCount] = useState(0)
  useEffect(() => {
    if (saveCount > 0 && document.activeElement === document.body)
      box.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [saveCount])
  return (
    <div ref={box}>
      <ProfileFormWithDraft key={saveCount} {...props} onSuccess={() => setSaveCount((count) => count + 1)} />
    </div>
  )
}

/** A form whose input is kept in memory if the session ends. No password is kept. */
function ProfileFormWithDraft({ name, initialValues, ...form }: FormProps & { name: string }) {
  const [startValues] = useState(() => getInitialValues(form.fields, initialValues))
  const draft = { name, target: null }
  const [restoredValues] = useState(() => takeDraft(draft)?.values as FormValues | undefined)
  const isChanged = (values: FormValues) =>
    form.fields.some((field) => values[field.name] !== startValues[field.name])
  return (
    <Form {...form} initialValues={{ ...startValues, ...restoredValues }}>
      {(values) =>
        isChanged(values) && (
          <Suspense>
            <DraftKeeper draft={draft} fields={form.fields} startValues={startValues} values={values} />
          </Suspense>
        )
      }
    </Form>
  )
}

/** The profile. A person who must set up a second factor first sees only the `children`. */
export function ProfilePage({ children }: { children?: ReactNode }) {
  const isRestricted = useNeedsSecondFactor()
  return (
    <div className={classes.cards}>
      {!isRestricted && <OwnCards />}
      {children}
    </div>
  )
}

/** The cards for the person's name, email, password and sessions. */
function OwnCards() {
  const client = useQueryClient()
  const toasts = useToasts()
  const query = useQuery({
    queryKey: queryKeys.profile,
    queryFn: ({ signal }) => send(getProfile, { signal }),
  })

  const save = (values: Record<string, string>, toastTitle: string) =>
    submitWithFieldErrors(async () => {
      await send(putProfile, { body: values })
      toasts.show({ title: toastTitle })
      await Promise.all(
        [queryKeys.profile, queryKeys.allMe, queryKeys.ownSessions].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      )
    })

  return (
    <>
      <Card title={texts.own}>
        <QueryContent
          query={query}
          loadFailed={texts.loadFailed}
          placeholder={
            <SkeletonOf>
              <Form fields={getOwnFields('')} onSubmit={async () => {}} />
            </SkeletonOf>
          }
        >
          {({ name, email }) => (
            <ProfileForm
              name="profile"
              fields={getOwnFields(email)}
              initialValues={{ name, email }}
              onSubmit={(values) =>
                save(pickValues(values, ['name', 'email', 'current_password']), texts.saved)
              }
            />
          )}
        </QueryContent>
      </Card>
      <Card title={texts.password}>
        <ProfileForm
          name="profile-password"
          fields={passwordFields}
          submitLabel={texts.change}
          onSubmit={(values) => save(pickValues(values, ['current_password', 'password']), texts.changed)}
        />
      </Card>
      <WithFeature feature="sessions">
        <SessionsCard />
      </WithFeature>
    </>
  )
}
