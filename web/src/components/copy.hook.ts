import { useRef, type RefObject } from 'react'
import { useToasts } from './overlay/toasts.tsx'

/**
 * Copies a text and says so in a toast. Where the browser does not let it (plain http, or it was denied) the text
 * is selected where it stands, in the element that has the answered `ref`, and the toast says that.
 */
export function useCopy<Element extends HTMLElement>(texts: {
  copied: string
  copyFailed: string
}): { shown: RefObject<Element | null>; copy: (text: string) => Promise<void> } {
  const toasts = useToasts()
  const shown = useRef<Element>(null)
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      toasts.show({ title: texts.copied })
    } catch {
      if (shown.current) window.getSelection()?.selectAllChildren(shown.current)
      toasts.show({ title: texts.copyFailed, tone: 'danger' })
    }
  }
  return { shown, copy }
}
