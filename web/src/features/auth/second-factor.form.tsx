import { useEffect, useRef, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { FormField } from '../../components/form/form.rules.ts'
import classes from './second-factor.module.css'
import { secondFactorTexts as texts } from './second-factor.texts.ts'

export const passwordField: FormField = {
  name: 'current_password',
  label: texts.currentPassword,
  kind: 'password',
  required: true,
  autoComplete: 'current-password',
  maxLength: 256,
}

/** What was typed as a code; a password stays as it is. */
export const codeOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const passwordOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** After a change: what the profile and its sessions are now. */
export function useChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all(['profile', 'sessions'].map((key) => client.invalidateQueries({ queryKey: [key] })))
}

/** What is asked for, and why; its first field has the focus, in whose place it came. */
export function Step({ words, children }: { words: string; children: ReactNode }) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => step.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={step} className={classes.step}>
      <p className={classes.words}>{words}</p>
      {children}
    </div>
  )
}
