/** An element with the elements around it. */
export const listAncestors = (element: Element | null): Element[] =>
  element ? [element, ...listAncestors(element.parentElement)] : []

/** Focuses a row or a button of the closest element that is still in the page and has one. */
export function focusInClosest(ancestors: readonly Element[]): void {
  const focusTarget = ancestors
    .filter(({ isConnected }) => isConnected)
    .map((ancestor) => ancestor.querySelector('[tabindex="0"]') ?? ancestor.querySelector('button:enabled'))
    .find((target) => target !== null)
  if (focusTarget instanceof HTMLElement) focusTarget.focus({ preventScroll: true })
}

/** Focuses the first element. If it was removed, a row or a button of the closest element around it has the focus. */
export function focusRemaining([element, ...ancestors]: readonly Element[]): void {
  if (!element?.isConnected) focusInClosest(ancestors)
  else if (element instanceof HTMLElement) element.focus({ preventScroll: true })
}
