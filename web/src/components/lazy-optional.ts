import { lazy, type ComponentType } from 'react'

/** A part that its page or form works without. It stays empty if its code cannot be loaded. */
export const lazyOptional = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch((): ComponentType<Props> => () => null) }))
