import type { Page } from '@playwright/test'

/**
 * Measures in the page for how many milliseconds it shows that a form was saved, until the form closes. A test sees both
 * late.
 */
export const measureSavedMessage = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let shownAt: number | undefined
        new MutationObserver((_changes, observer) => {
          const dialog = document.querySelector('[role=dialog]')
          if (dialog?.textContent.includes('saved successfully')) shownAt ??= performance.now()
          const isOpen = dialog !== null && dialog.closest('[data-closing]') === null
          if (shownAt === undefined || isOpen) return
          observer.disconnect()
          resolve(performance.now() - shownAt)
        }).observe(document.body, { attributes: true, childList: true, subtree: true })
      }),
  )
