import { useState, type ReactNode } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getProfile, putProfile } from '@karvon/contract/auth/auth.ts'
import { Card } from '../../components/display/card.tsx'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { SkeletonOf } from '../../components/display/skeleton.tsx'
import type { FieldValue, FormField, FormValues } from '../../components/form/form.rules.ts'
import { Form } from '../../components/form/form.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { WithFeature } from '../../resources/feature.tsx'
import { reasonOf, send } from '../../lib/http.ts'
import { authTexts } from './auth.texts.ts'
import classes from './profile.module.css'
import { useNeedsSecondFactor } from './second-factor.required.hook.ts'
import { SessionsCard } from './sessions.card.tsx'
import { tried } from '../../components/form/tried.ts'

const texts = authTexts.profile

/** `email`: as it is, which takes no password to keep. */
const ownFields = (email: string): readonly FormField[] => [
  { name: 'name', label: texts.name, kind: 'text', required: true, autoComplete: 'name', maxLength: 255 },
  {
    name: 'email',
    label: texts.email,
    kind: 'email',
    required: true,
    autoComplete: 'email',
    maxLength: 254,
    validate: (value, all) =>
      value !== email && textOf(all.current_password) === '' ? texts.emailNeedsPassword : null,
  },
  {
    name: 'current_password',
    label: texts.current,
    kind: 'password',
    hint: texts.forEmail,
    autoComplete: 'current-password',
    maxLength: 256,
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
    maxLength: 256,
    validate: (value) => (textOf(value).length < 8 ? texts.tooShort : null),
  },
  {
    name: 'repeat',
    label: texts.repeat,
    kind: 'password',
    required: true,
    validate: (value, all) => (value === all.password ? null : texts.mismatch),
  },
]

const textOf = (value: FieldValue | undefined) => (typeof value === 'string' ? value : '')
const pick = (values: FormValues, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, textOf(values[key])]))

/** `children` stand below; they alone are there for who has to set up a second factor first. */
export function ProfilePage({ children }: { children?: ReactNode }) {
  const restricted = useNeedsSecondFactor()
  return (
    <div className={classes.cards}>
      {!restricted && <OwnCards />}
      {children}
    </div>
  )
}

/** Own name, email, password and sessions. */
function OwnCards() {
  const client = useQueryClient()
  const toasts = useToasts()
  const [changes, setChanges] = useState(0)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['profile'],
    queryFn: ({ signal }) => send(getProfile, { signal }),
  })

  const save = (values: Record<string, string>, said: string) =>
    tried(async () => {
      await send(putProfile, { body: values })
      toasts.show({ title: said })
      await Promise.all(
        ['profile', 'me', 'sessions'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
    })

  return (
    <>
      <Card title={texts.own}>
        {data && (
          <Form
            key={data.updatedAt}
            fields={ownFields(data.email)}
            initialValues={{ name: data.name, email: data.email }}
            onSubmit={(values) => save(pick(values, ['name', 'email', 'current_password']), texts.saved)}
          />
        )}
        {!data && error && !isFetching && (
          <ErrorState
            failure={{ message: texts.loadFailed, reason: reasonOf(error) }}
            onRetry={() => void refetch()}
          />
        )}
        {!data && isFetching && (
          <SkeletonOf>
            <Form fields={ownFields('')} onSubmit={async () => {}} />
          </SkeletonOf>
        )}
      </Card>
      <Card title={texts.password}>
        <Form
          key={changes}
          fields={passwordFields}
          submitLabel={texts.change}
          onSubmit={(values) => save(pick(values, ['current_password', 'password']), texts.changed)}
          onSuccess={() => setChanges((count) => count + 1)}
        />
      </Card>
      <WithFeature feature="sessions">
        <SessionsCard />
      </WithFeature>
    </>
  )
}
