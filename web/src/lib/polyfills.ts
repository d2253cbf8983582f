/** What Chrome 109, Firefox 115 and Safari 16.4 lack, and the web uses. Newer browsers do not load it: main.tsx. */

const define = (target: object, name: string, value: unknown) => {
  if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, writable: true })
}

type Compare = (a: unknown, b: unknown) => number

define(Array.prototype, 'toSorted', function (this: readonly unknown[], compare?: Compare) {
  return [...this].sort(compare)
})

define(Array.prototype, 'toReversed', function (this: readonly unknown[]) {
  return [...this].reverse()
})

define(Array.prototype, 'toSpliced', function (this: readonly unknown[], ...input: [number, number]) {
  const copy = [...this]
  copy.splice(...input)
  return copy
})

define(Map, 'groupBy', (values: Iterable<unknown>, getKey: (value: unknown) => unknown) => {
  const groups = new Map<unknown, unknown[]>()
  for (const value of values) {
    const key = getKey(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
})

define(AbortSignal, 'any', (signals: Iterable<AbortSignal>) => {
  const controller = new AbortController()
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal })
  }
  return controller.signal
})

define(URL, 'canParse', (text: string) => {
  try {
    return Boolean(new URL(text))
  } catch {
    return false
  }
})

define(Element.prototype, 'checkVisibility', function (this: Element) {
  return this.getClientRects().length > 0
})

// popup.module.css places the popup above everything else. Without a top layer there is nothing to do.
define(HTMLElement.prototype, 'showPopover', () => undefined)

export {}
