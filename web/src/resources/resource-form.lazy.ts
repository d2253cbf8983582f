import { lazy, type ReactNode } from 'react'
import type { ResourceFormProps } from './resource-form.tsx'

/** Loads the code of the form. A page calls it on the first pointer or focus inside. */
export const loadResourceForm = () => import('./resource-form.tsx')

// lazy() loses the type parameter of the component.
export const LazyResourceForm = lazy(async () => ({
  default: (await loadResourceForm()).ResourceForm,
})) as unknown as <Row>(props: ResourceFormProps<Row>) => ReactNode
