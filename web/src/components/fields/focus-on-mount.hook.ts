import { type RefObject, useEffect } from 'react'

/** Focuses an input that appears because a person asked for it. */
export function useFocusOnMount(input: RefObject<HTMLInputElement | null>, enabled = false): void {
  useEffect(() => {
    if (enabled) input.current?.focus()
  }, [input, enabled])
}
