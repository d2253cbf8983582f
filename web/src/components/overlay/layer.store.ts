// Modal layers are stacked, each a direct child of the body. Only the topmost can be used:
// everything below it is inert, Esc and Tab belong to it, and the page does not scroll.

type Layer = { element: HTMLElement; onEscape: () => void }

const layers: Layer[] = []

/** The attribute of an element whose call runs. Its layer does not close, so that a failure and the typed input stay. */
export const savingAttribute = 'data-saving'

// How many layers were opened or closed, now and at the last first press of the mouse and of Enter.
let layerChanges = 0
let mouseChanges = 0
let enterChanges = 0

/**
 * Stops the second press of a double click, and a held Enter, when a layer opened or closed after the first press, and on
 * a button that sends a form. The form may be sent and empty by then.
 */
function stopSecondPress(event: MouseEvent | KeyboardEvent): void {
  const isOnSubmit = event.target instanceof Element && event.target.closest('[type=submit]')
  if (event instanceof KeyboardEvent) {
    if (event.key !== 'Enter') return
    if (!event.repeat) enterChanges = layerChanges
    else if (isOnSubmit || enterChanges !== layerChanges) stopEvent(event)
  } else if (event.detail > 1) {
    if (isOnSubmit || mouseChanges !== layerChanges) stopEvent(event)
  } else if (event.type === 'mousedown') mouseChanges = layerChanges
}

function stopEvent(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

/** The attribute of an element with input that a person typed before their session ended. */
export const typedMark = 'data-typed'

/** Listens for second presses. Returns a function that ends this. */
export function watchSecondPresses(): () => void {
  const types = ['mousedown', 'click', 'keydown'] as const
  for (const type of types) document.addEventListener(type, stopSecondPress, true)
  return () => {
    for (const type of types) document.removeEventListener(type, stopSecondPress, true)
  }
}

/** The attribute of elements that stay usable above any layer (the toasts). */
export const aboveLayersAttribute = 'data-above-layers'

const focusable =
  'a[href],button:not(:disabled),input:not(:disabled):not([type=hidden]),select:not(:disabled),textarea:not(:disabled),[tabindex]'

/** The elements inside `root` that Tab reaches, in order. */
function getTabStops(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility() && !element.closest('[inert]'),
  )
}

function refresh(): void {
  const top = layers.at(-1)?.element
  for (const child of document.body.children) {
    if (!(child instanceof HTMLElement) || child.hasAttribute(aboveLayersAttribute)) continue
    // A layer that fades out is no longer there for keyboards and screen readers.
    child.inert = child !== top && (top !== undefined || 'closing' in child.dataset)
  }
  const root = document.documentElement
  if (!top) root.style.overflow = root.style.paddingRight = ''
  else if (root.style.overflow !== 'hidden') {
    // The width of the scrollbar that disappears, so that nothing moves.
    root.style.paddingRight = `${window.innerWidth - root.clientWidth}px`
    root.style.overflow = 'hidden'
  }
}

function wrapTab(event: KeyboardEvent, layer: HTMLElement): void {
  const stops = getTabStops(layer)
  const firstStop = stops[0]
  const lastStop = stops.at(-1)
  const focusedElement = document.activeElement
  const isOutside =
    !(focusedElement instanceof Node) || !layer.contains(focusedElement) || focusedElement === layer
  if (!firstStop || !lastStop) event.preventDefault()
  else if (event.shiftKey && (focusedElement === firstStop || isOutside)) {
    event.preventDefault()
    lastStop.focus()
  } else if (!event.shiftKey && (focusedElement === lastStop || isOutside)) {
    event.preventDefault()
    firstStop.focus()
  }
}

function onKeyDown(event: KeyboardEvent): void {
  const top = layers.at(-1)
  // A popup inside the layer that closes on Esc prevents the default. The layer then stays open.
  if (!top || event.defaultPrevented || event.isComposing) return
  if (event.key === 'Escape') top.onEscape()
  // Toasts are outside of the layer. Tab inside them works as usual.
  const focusedElement = document.activeElement
  if (event.key === 'Tab' && !focusedElement?.closest(`[${aboveLayersAttribute}]`))
    wrapTab(event, top.element)
}

/** Puts a layer on top. Returns a function that removes it. */
export function openLayer(layer: Layer): () => void {
  if (layers.length === 0) document.addEventListener('keydown', onKeyDown)
  layers.push(layer)
  layerChanges += 1
  refresh()
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    layerChanges += 1
    if (layers.length === 0) document.removeEventListener('keydown', onKeyDown)
    refresh()
  }
}
