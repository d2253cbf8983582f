import { lazy, type ComponentType } from 'react'

/** A part that the page works without. It stays empty if its code cannot be loaded. */
export const lazyOptional = (load: () => Promise<ComponentType>) =>
  lazy(async () => ({ default: await load().catch(() => () => null) }))
