import { useEffect, useEffectEvent } from 'react'

/** Runs an action when a condition becomes true, with the values of the last render. */
export function useActionWhen(condition: boolean, action: () => void): void {
  const runAction = useEffectEvent(action)
  useEffect(() => {
    if (!condition) return
    // The action may set state, which an effect itself must not.
    const timer = setTimeout(() => runAction())
    return () => clearTimeout(timer)
  }, [condition])
}
