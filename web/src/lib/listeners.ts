export interface Listeners {
  notify: () => void
  /** Returns a function that unsubscribes. The shape is that of useSyncExternalStore. */
  subscribe: (listener: () => void) => () => void
}

/** The listeners of a store. */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    notify: () => {
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
