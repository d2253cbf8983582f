import { variants } from '../src/extent.ts'
import { chooseIn, expect, openSignedIn, pressOn, test, typeInto } from '../src/keyboard.ts'
import { expectAccessibleLayout } from '../src/test.ts'

test(
  'a rule that a person creates raises an alert, which is read, snoozed, and opens its figure',
  variants,
  async ({ page, api }) => {
    await openSignedIn(page, api, '/alerts?tab=rules')
    const rows = page.locator('tr[data-key]')
    await expect(rows.filter({ hasText: 'A source fell silent' })).toContainText('Built-in')
    await pressOn(page, page.getByRole('button', { name: 'New rule' }))
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'New rule' })
    await chooseIn(page, form.getByRole('combobox', { name: 'Condition' }), 'Above')
    await chooseIn(page, form.getByRole('combobox', { name: 'Period' }), 'in 30 days')
    await typeInto(page, form.getByLabel('Threshold'), '0')
    await pressOn(page, form.getByRole('button', { name: 'Save' }))
    await expect(form.getByText('Name is required')).toBeVisible()
    await typeInto(page, form.getByLabel('Name'), 'Any leads')
    await expectAccessibleLayout(page, 'alert rule form', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await pressOn(page, form.getByRole('button', { name: 'Save' }))
    await expect(form).toHaveCount(0)
    await expect(rows.filter({ hasText: 'Any leads' })).toContainText('leads in 30 days above 0')
    await expectAccessibleLayout(page, 'alert rules', [
      [360, 'light'],
      [1440, 'dark'],
    ])

    const readUnread = async () => (await api.call<{ unread: number }>('GET', '/api/inbox/unread/')).unread
    const listAlerts = async () => {
      const { items } = await api.call<{ items: { rule: { name: string | null } }[] }>('GET', '/api/inbox/')
      return items.map(({ rule }) => rule.name)
    }
    await expect.poll(listAlerts).toContain('Any leads')
    const before = await readUnread()
    await page.reload()
    const alertsLink = page.getByRole('link', { name: `Alerts, unread: ${before}` })
    await pressOn(page, alertsLink)
    await expect(page).toHaveURL(/\/alerts$/)
    const row = rows.filter({ hasText: 'Any leads: leads in 30 days:' })
    await expect(row).toContainText('Open')
    await expectAccessibleLayout(page, 'inbox', [
      [360, 'dark'],
      [1440, 'light'],
    ])
    await pressOn(page, row)
    const detail = page.getByRole('dialog', { name: 'Any leads' })
    await expect.poll(readUnread).toBe(before - 1)
    await pressOn(page, detail.getByRole('button', { name: 'Snooze' }))
    await page.keyboard.press('Enter')
    await expect(detail.getByText('Snoozed', { exact: true })).toBeVisible()
    await expectAccessibleLayout(page, 'alert', [
      [360, 'light'],
      [1440, 'dark'],
    ])
    await pressOn(page, detail.getByRole('link', { name: 'Open the figure' }))
    await expect(page).toHaveURL(/\/explore\?.*metrics=leads&from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/)
  },
)

test(
  'an alert of a built-in rule leads to its page, and a muted rule comes back',
  variants,
  async ({ page, api }) => {
    const { items } = await api.call<{ items: { id: number; kind: string }[] }>('GET', '/api/alert-rules/')
    const rule = items.find(({ kind }) => kind === 'unmapped_statuses')
    await api.call('PUT', `/api/alert-rules/${rule?.id}/`, { threshold: 1, is_active: true })
    await openSignedIn(page, api, '/alerts')
    const row = page.locator('tr[data-key]').filter({ hasText: 'unmapped statuses' }).first()
    await expect(row).toBeVisible({ timeout: 90_000 })
    await row.click()
    const detail = page.getByRole('dialog', { name: 'Unmapped source statuses appeared' })
    await pressOn(page, detail.getByRole('button', { name: 'Mute the rule' }))
    await pressOn(page, detail.getByRole('button', { name: 'Unmute the rule' }))
    await expect(detail.getByRole('button', { name: 'Mute the rule' })).toBeVisible()
    await pressOn(page, detail.getByRole('link', { name: 'Open the figure' }))
    await expect(page).toHaveURL(/\/leads\?tab=unmapped&source_id=\d+/)
  },
)
