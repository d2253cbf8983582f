import { courierLogin, test } from '../src/fakes.ts'
import { openSignedIn, pressOn } from '../src/keyboard.ts'
import { createParcel } from '../src/month.ts'
import { variants } from '../src/extent.ts'
import { allAppearances, expect, expectAccessibleLayout } from '../src/test.ts'

const actDay = new Date(Date.now() - 3 * 24 * 3_600_000).toISOString().slice(0, 10)

const createAct = (code: string) => ({
  code,
  number: `R-${code}`,
  actdate: actDay,
  lines: [{ code: `${code}-1`, orderno: 'AGAIN-1', rur: '100000.00', pricekur: '20000.00', priceag: '0.00' }],
})

test(
  'an admin finds an act that the courier issued again with another code, and voids it',
  variants,
  async ({ page, api, fakes: { courier } }) => {
    const { id: user_id } = await api.newPerson('reissued')
    courier.publish(createParcel('AGAIN-1', 100_000, 0))
    courier.acts = new Map([['1', createAct('1')]])
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
    await expect(act.getByRole('textbox', { name: 'Reason' })).toBeFocused()
    await page.keyboard.type('Issued again as R-2')
    await expectAccessibleLayout(page, 'void an unlisted act', allAppearances)
    await pressOn(page, act.getByRole('button', { name: 'Void the act' }))
    await expect(page.getByText('No settlement acts found')).toBeVisible()
  },
)
