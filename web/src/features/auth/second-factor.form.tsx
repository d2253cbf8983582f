import { maxPassword } from '@karvon/contract/lib/limits.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { FormField } from '../../components/form/form.rules.ts'
import classes from './second-factor.module.css'
import { secondFactorTexts as texts } from './second-factor.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

export const passwordField: FormField = {
  name: 'current_password',
  label: texts.currentPassword,
  kind: 'password',
  required: true,
  autoComplete: 'current-password',
  maxLength: maxPassword,
}

/** The typed code, trimmed. A password is not trimmed. */
export const readCode = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const readPassword = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns a function that reloads the profile and the sessions of the person. */
export function useProfileRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [queryKeys.profile, queryKeys.ownSessions].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
}

/** One step of a dialog: a text and a form. The first field has the focus. */
export function SecondFactorStep({ text, children }: { text: string; children: ReactNode }) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => step.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={step} className={classes.step}>
      <p className={classes.words}>{text}</p>
      {children}
    </div>
  )
}
