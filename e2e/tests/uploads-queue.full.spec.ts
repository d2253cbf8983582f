import { variants } from '../src/extent.ts'
import { readFile } from 'node:fs/promises'
import { openSignedIn, pressOn } from '../src/keyboard.ts'
import { chooseOption } from '../src/leads.ts'
import { test } from '../src/telegram.ts'
import { expect, expectAccessibleLayout } from '../src/test.ts'

const content = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'
const name = 'Заказы ноября.pdf'

test(
  'an upload that Telegram refused is in the queue with its reason, can be downloaded, and is sent again',
  variants,
  async ({ page, api, telegram }) => {
    telegram.mode = 'kicked'
    const form = new FormData()
    form.set('file', new File([content], name, { type: 'application/pdf' }))
    const answer = await api.call<{ sent_to_telegram: boolean }>('POST', '/api/parcel/files/upload/', form)
    expect(answer.sent_to_telegram).toBe(false)

    await openSignedIn(page, api, '/uploads')
    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('Refused')
    await expect(row).toContainText('kicked')
    await expectAccessibleLayout(page, 'uploads', [
      [360, 'dark'],
      [1440, 'light'],
    ])

    const download = page.waitForEvent('download')
    await pressOn(page, row.getByRole('button', { name: `Download ${name}` }))
    const file = await download
    expect(file.suggestedFilename()).toBe(name)
    expect(await readFile(await file.path(), 'utf8')).toBe(content)

    telegram.mode = 'ok'
    await pressOn(page, row.getByRole('button', { name: `Retry ${name}` }))
    await expect(page.getByRole('status').filter({ hasText: 'Sending again' })).toBeVisible()
    await expect(row).toContainText('Sent', { timeout: 20_000 })
    await expect(row.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
    await chooseOption(page, 'Filter by status', 'Queued')
    await expect(row).toHaveCount(0)
  },
)
