import { lazy, type ReactNode } from 'react'
import type { ResourceFormProps } from './resource-form.tsx'

/** Fetches the form; a page asks for it as soon as somebody reaches into it. */
export const loadResourceForm = () => import('./resource-form.tsx')

// What lazy() answers has lost that the row's type is the caller's.
export const ResourceForm = lazy(async () => ({
  default: (await loadResourceForm()).ResourceForm,
})) as unknown as <Row>(props: ResourceFormProps<Row>) => ReactNode
