import type { BrowserContext, Page } from '@playwright/test'
import { expect } from './test.ts'

/** Signs out in another tab. */
export async function signOutInOtherTab(page: Page, context: BrowserContext): Promise<void> {
  const otherTab = await context.newPage()
  await otherTab.goto(new URL('/icon.svg', page.url()).href)
  await otherTab.evaluate(() => localStorage.removeItem('emu_auth'))
  await otherTab.close()
  await expect(page).toHaveURL(/\/login$/)
}
