import { useRef, type RefObject } from 'react'
import { useToasts } from './overlay/toasts.tsx'

/**
 * Copies a text to the clipboard and shows a toast. Where the browser refuses (plain http, or no permission),
 * it selects the text in the element that has the returned `textRef`, and the toast says so.
 */
export function useCopy<Element extends HTMLElement>(texts: {
  copied: string
  copyFailed: string
}): { textRef: RefObject<Element | null>; copy: (text: string) => Promise<void> } {
  const toasts = useToasts()
  const textRef = useRef<Element>(null)
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      toasts.show({ title: texts.copied })
    } catch {
      if (textRef.current) window.getSelection()?.selectAllChildren(textRef.current)
      toasts.show({ title: texts.copyFailed, tone: 'danger' })
    }
  }
  return { textRef, copy }
}
