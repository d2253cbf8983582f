import { courierLogin, test } from '../src/fakes.ts'
import { openSignedIn, pressOn } from '../src/keyboard.ts'
import { createParcel } from '../src/month.ts'
import { variants } from '../src/extent.ts'
import { allAppearances, expect, expectAccessibleLayout } from '../src/test.ts'

const actDay = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString().slice(0, 10)

const createAct = (code: string, badAnswer?: string) => ({
  code,
  number: `R-${code}`,
  actdate: actDay,
  badAnswer,
  lines: [{ code: `${code}-1`, orderno: 'AGAIN-1', rur: '100000.00', pricekur: '20000.00', priceag: '0.00' }],
})

test(
  'an admin finds an act that the courier issued again with another code, and voids it',
  variants,
  async ({ page, api, fakes: { courier } }) => {
    const { id: user_id } = await api.newPerson('reissued')
    courier.publish(createParcel('AGAIN-1', 100_000, 0))
    // Five faulty acts end the reading of the acts, so the next run reads the list again within the hour.
    const faultyActs = ['x1', 'x2', 'x3', 'x4', 'x5'].map((code) => createAct(code, '<html>'))
    courier.acts = new Map([createAct('1'), ...faultyActs].map((act) => [act.code, act]))
    const { id } = await api.call<{ id: number }>('POST', '/api/admin/courier-accounts/', {
      name: 'Courier that issues again',
      url: courier.url,
      ...courierLogin,
      user_id,
      is_active: true,
    })
    const countActs = async () =>
      (await api.call<{ items: object[] }>('GET', `/api/admin/settlements/?courier_account_id=${id}`)).items
        .length
    await expect.poll(countActs, { timeout: 30_000 }).toBe(1)
    const readRun = async () =>
      (await api.call<{ items: { status: string }[] }>('GET', '/api/admin/sync-runs/?per_page=1')).items[0]
    await expect.poll(readRun, { timeout: 30_000 }).toMatchObject({ status: 'partial' })
    courier.acts = new Map([['2', createAct('2')]])
    await api.call('POST', `/api/admin/courier-accounts/${id}/run/`)
    await expect.poll(countActs, { timeout: 30_000 }).toBe(2)

    const row = page.locator('tr[data-key]')
    await openSignedIn(page, api, '/settlements?tab=differences&kind=settled_twice')
    await pressOn(page, row)
    const difference = page.getByRole('dialog', { name: 'AGAIN-1' })
    await expect(difference.getByText('Settled by').locator('xpath=following::dd[1]')).toHaveText(
      /R-1\s*Not listed/,
    )
    await expectAccessibleLayout(page, 'a parcel that is settled twice', allAppearances)

    await openSignedIn(page, api, '/settlements?tab=acts&is_unlisted=true')
    await expect(row).toContainText('R-1')
    await expect(row).toContainText('Not listed')
    await expectAccessibleLayout(page, 'unlisted acts', allAppearances)
    await pressOn(page, row)
    const act = page.getByRole('dialog', { name: 'Settlement act R-1' })
    await expect(act).toContainText('Not listed by the courier since')
    await pressOn(page, act.getByRole('button', { name: 'Void the act' }))
    await expect(act).toContainText('If the courier lists the act again, the next sync restores them.')
    await page.keyboard.type('Issued again as R-2')
    await expectAccessibleLayout(page, 'void an unlisted act', allAppearances)
    await pressOn(page, act.getByRole('button', { name: 'Void the act' }))
    await expect(page.getByText('No settlement acts found')).toBeVisible()
  },
)
