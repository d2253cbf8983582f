// Keeps the keys that a person types between opening a form and the moment when its first field is there: the code of
// the form or its row may still be loading. At most one form opens at a time.

/** Milliseconds after which captured keys are dropped because no form came. */
const maxCaptureMs = 10_000

let capture: { text: string; stop: () => void } | null = null

const isEditable = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input,textarea,select'))

function onKeyDown(event: KeyboardEvent): void {
  if (!capture || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  if (isEditable(event.target)) return
  if (event.key === 'Escape') {
    stopTypingCapture()
    return
  }
  if (event.key.length === 1) capture.text += event.key
  else if (event.key === 'Backspace') capture.text = capture.text.slice(0, -1)
  // Enter after some text must not press the button that still has the focus.
  else if (event.key !== 'Enter' || capture.text === '') return
  event.preventDefault()
  event.stopPropagation()
}

/** Starts to capture typed keys, until {@link deliverTyping} or {@link stopTypingCapture}. Keeps what it has. */
export function startTypingCapture(): void {
  const text = capture?.text ?? ''
  stopTypingCapture()
  const timer = setTimeout(stopTypingCapture, maxCaptureMs)
  document.addEventListener('keydown', onKeyDown, true)
  capture = {
    text,
    stop: () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', onKeyDown, true)
    },
  }
}

/** Ends the capture and drops its keys. */
export function stopTypingCapture(): void {
  capture?.stop()
  capture = null
}

/** Ends the capture and types its keys into a field. Drops them where the element is not a text field. */
export function deliverTyping(field: HTMLElement): void {
  const text = capture?.text ?? ''
  stopTypingCapture()
  if (text === '') return
  const isTextField =
    field instanceof HTMLTextAreaElement ||
    (field instanceof HTMLInputElement && /^(?:text|search|email|url|tel|password)$/.test(field.type))
  if (!isTextField || field.readOnly || field.disabled) return
  // React notices a new value only when the native setter writes it and an input event follows.
  const prototype =
    field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, field.value + text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
