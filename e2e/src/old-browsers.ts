import type { Page } from '@playwright/test'

/**
 * What at least one of the oldest supported browsers lacks: Chrome 109, Firefox 115 and Safari 16.4. A # stands for the
 * prototype.
 */
const newMembers = [
  'AbortSignal.any',
  'Array.fromAsync',
  'Array#toReversed',
  'Array#toSorted',
  'Array#toSpliced',
  'Array#with',
  'Blob#bytes',
  'Document#startViewTransition',
  'Element#checkVisibility',
  'HTMLElement#hidePopover',
  'HTMLElement#showPopover',
  'HTMLElement#togglePopover',
  'HTMLInputElement#showPicker',
  'HTMLSelectElement#showPicker',
  'Intl.DurationFormat',
  'Intl.Segmenter',
  'Iterator#drop',
  'Iterator#every',
  'Iterator#filter',
  'Iterator#find',
  'Iterator#flatMap',
  'Iterator#forEach',
  'Iterator#map',
  'Iterator#reduce',
  'Iterator#some',
  'Iterator#take',
  'Iterator#toArray',
  'Map.groupBy',
  'Map#getOrInsert',
  'Map#getOrInsertComputed',
  'Math.sumPrecise',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'RegExp.escape',
  'Response#bytes',
  'Set#difference',
  'Set#intersection',
  'Set#isDisjointFrom',
  'Set#isSubsetOf',
  'Set#isSupersetOf',
  'Set#symmetricDifference',
  'Set#union',
  'String#isWellFormed',
  'String#toWellFormed',
  'URL.canParse',
  'URL.parse',
  'URLSearchParams#size',
  'Window#cookieStore',
  'Window#navigation',
  'Window#requestIdleCallback',
  'Window#scheduler',
] as const

/** Makes the browser of the page lack what an old one lacks. Call it before the page opens. */
export async function simulateOldBrowser(page: Page): Promise<void> {
  await page.addInitScript((members) => {
    const globals = globalThis as unknown as Record<string, { prototype?: object } | undefined>
    for (const member of members) {
      const [, owner = '', sign, name = ''] = /^(\w+)([.#])(\w+)$/.exec(member) ?? []
      const target =
        owner === 'Window' ? globalThis : sign === '#' ? globals[owner]?.prototype : globals[owner]
      if (target) Reflect.deleteProperty(target, name)
    }
    // Without support, a popover is an element like any other.
    document.addEventListener('DOMContentLoaded', () => {
      document.head.append(
        Object.assign(document.createElement('style'), { textContent: '[popover] { display: block }' }),
      )
    })
  }, newMembers)
}
