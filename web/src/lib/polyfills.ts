/** Adds a function unless the browser has it. */
function define(target: object, name: string, value: unknown): void {
  if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, writable: true })
}

/** Adds what Chrome 109, Firefox 115 and Safari 16.4 lack and the web uses. main.tsx calls it in no newer browser. */
export function addMissingFunctions(): void {
  addToArrays()
  define(Map, 'groupBy', groupBy)
  define(AbortSignal, 'any', combineSignals)
  define(URL, 'canParse', isAddress)
  define(Element.prototype, 'checkVisibility', function (this: Element) {
    return this.getClientRects().length > 0
  })
  // popup.module.css places the popup above everything else. Without a top layer there is nothing to do.
  define(HTMLElement.prototype, 'showPopover', () => undefined)
}

function addToArrays(): void {
  define(
    Array.prototype,
    'toSorted',
    function (this: unknown[], compare?: (a: unknown, b: unknown) => number) {
      const copy = [...this]
      copy.sort(compare)
      return copy
    },
  )
  define(Array.prototype, 'toSpliced', function (this: unknown[], ...input: [number, number]) {
    const copy = [...this]
    copy.splice(...input)
    return copy
  })
}

function groupBy(values: Iterable<unknown>, getKey: (value: unknown) => unknown): Map<unknown, unknown[]> {
  const groups = new Map<unknown, unknown[]>()
  for (const value of values) {
    const key = getKey(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}

function combineSignals(signals: Iterable<AbortSignal>): AbortSignal {
  const controller = new AbortController()
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal })
  }
  return controller.signal
}

function isAddress(text: string): boolean {
  try {
    return Boolean(new URL(text))
  } catch {
    return false
  }
}
