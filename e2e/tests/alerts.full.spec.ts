import { variants } from '../src/extent.ts'
import { chooseIn, expect, openSignedIn, pressOn, test as base, typeInto } from '../src/keyboard.ts'
import { knownLeads, type KnownLeads } from '../src/leads.ts'
import { expectAccessibleLayout } from '../src/test.ts'

const test = base.extend<object, { known: KnownLeads }>({ known: knownLeads })

test(
  'a view of Explore becomes a rule with its metric, period and filters, and the alert opens the same view',
  variants,
  async ({ page, api, known: { alpha, beta } }) => {
    await openSignedIn(
      page,
      api,
      `/explore?rows=offer&metrics=leads,profit&period=all&source=${alpha},${beta}&weekday=2,3&region=Buxoro`,
    )
    const open = page.getByRole('button', { name: 'Alert me' })
    await pressOn(page, open)
    const form = page.getByRole('dialog', { name: 'New rule' })
    await expect(form.getByRole('combobox', { name: 'Metric' })).toHaveValue('leads')
    await expect(form.getByRole('combobox', { name: 'Period' })).toHaveValue('in all time')
    await expect(form.getByText('Alpha', { exact: true })).toBeVisible()
    await expect(form.getByText('Beta', { exact: true })).toBeVisible()
    await expect(form.getByText(/cannot filter by this.*Weekday, Region/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await expect(open).toBeFocused()
    await pressOn(page, open)
    await typeInto(page, form.getByLabel('Name'), 'Leads of Alpha')
    await chooseIn(page, form.getByRole('combobox', { name: 'Condition' }), 'Above')
    await typeInto(page, form.getByLabel('Threshold'), '0')
    await expectAccessibleLayout(page, 'alert rule of a view', [
      [360, 'light'],
      [360, 'dark'],
      [1440, 'light'],
      [1440, 'dark'],
    ])
    await pressOn(page, form.getByRole('button', { name: 'Save' }))
    await expect(form).toHaveCount(0)

    await page.goto(`${api.url}/alerts`)
    const row = page.locator('tr[data-key]').filter({ hasText: 'Leads of Alpha: leads in all time:' })
    await expect(row).toBeVisible({ timeout: 90_000 })
    await pressOn(page, row)
    await pressOn(page, page.getByRole('link', { name: 'Open the figure' }))
    await expect(page).toHaveURL(
      new RegExp(`/explore\\?.*metrics=leads&period=all&source=${alpha}%2C${beta}`),
    )
  },
)

test(
  'a rule of several values opens the figure of all of them in Explore',
  variants,
  async ({ page, api, known: { alpha, beta } }) => {
    await api.call('POST', '/api/alert-rules/', {
      kind: 'metric',
      name: 'Alpha and Beta',
      metric: 'leads',
      period: 'all',
      condition: 'above',
      against: 'value',
      threshold: 0,
      source_ids: [alpha, beta],
    })
    await openSignedIn(page, api, '/alerts?tab=rules')
    await page.locator('tr[data-key]').filter({ hasText: 'Alpha and Beta' }).click()
    const form = page.getByRole('dialog', { name: 'Alert rule' })
    await expect(form.getByText('Alpha', { exact: true })).toBeVisible()
    await pressOn(page, form.getByRole('button', { name: 'Remove Beta' }))
    await expect(form.getByText('Beta', { exact: true })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await page.goto(`${api.url}/alerts`)
    const row = page.locator('tr[data-key]').filter({ hasText: 'Alpha and Beta: leads' })
    await expect(row).toBeVisible({ timeout: 90_000 })
    await pressOn(page, row)
    const detail = page.getByRole('dialog', { name: 'Alpha and Beta' })
    await pressOn(page, detail.getByRole('link', { name: 'Open the figure' }))
    await expect(page).toHaveURL(/\/explore\?.*source=\d+%2C\d+/)
    await expect(page.getByRole('button', { name: 'Remove Alpha' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove Beta' })).toBeVisible()
  },
)
