import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { pressOn } from './keyboard.ts'
import { expect } from './test.ts'

/** Chooses CSV in a menu of exports, by keyboard, and returns the text of the file. */
export async function downloadCsv(page: Page, menuButton: Locator): Promise<string> {
  await pressOn(page, menuButton)
  await expect(page.getByRole('menuitem', { name: 'CSV' })).toBeFocused()
  const download = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  return readFile(await (await download).path(), 'utf8')
}

/** Sends the approved withdrawals in UZS to the bank on the screen of settlements, and returns the csv of their registry. */
export async function sendToBank(page: Page): Promise<string> {
  await pressOn(page, page.getByRole('button', { name: 'Send to the bank' }))
  const sending = page.getByRole('dialog', { name: 'Send approved withdrawals to the bank' })
  await pressOn(page, sending.getByRole('button', { name: 'Send UZS' }))
  const question = page.getByRole('alertdialog', { name: /^Send .* to the bank\?/ })
  await pressOn(page, question.getByRole('button', { name: 'Send' }))
  await expect(sending.getByText(/^Payment registry #\d+: /)).toBeVisible()
  return downloadCsv(page, sending.getByRole('button', { name: 'Download' }))
}
