import { mockAnswer, expect, stopClock, test } from '../src/bare.ts'
import { selectSample, variants } from '../src/extent.ts'
import { fillRequired, openFirst, resourceScreens } from '../src/resources.ts'

test.use({ expectedStatus: [404, 409, 422, 500] })

for (const screen of selectSample(resourceScreens)) {
  const { path, list, singular, plural, failure } = screen
  const capital = singular.charAt(0).toUpperCase() + singular.slice(1)

  test.describe(plural, () => {
    test(
      `${plural}: a failed load shows its reason and Try again reloads; an empty list shows so`,
      variants,
      async ({ page, open }) => {
        const undo = await mockAnswer(page, `${list}?*`, {
          status: 500,
          body: { detail: 'The database is away' },
        })
        await open(path, 'admin')
        const alert = page.getByRole('alert')
        await expect(alert).toContainText(`Failed to load ${plural}. Please try again.`)
        await expect(alert).toContainText('The database is away')
        await undo()
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect(page.locator('tr[data-key]')).not.toHaveCount(0)
        await mockAnswer(page, `${list}?*`, { body: { items: [], meta: { total: 0 } } })
        await page.reload()
        const empty = singular === 'user' ? 'No users found' : 'No data found.'
        await expect(page.getByText(empty, { exact: true })).toBeVisible()
      },
    )

    test(
      `${plural}: required fields hold; a failed save keeps the form open, a good one closes it after 1000 ms`,
      variants,
      async ({ page, open, bare }) => {
        await page.clock.install()
        await open(path, 'admin')
        await expect(page.locator('tr[data-key]')).not.toHaveCount(0)
        await page.getByRole('button', { name: `New ${singular}` }).click()
        const dialog = page.getByRole('dialog', { name: `New ${singular}` })
        const save = dialog.getByRole('button', { name: 'Save' })
        await save.click()
        for (const label of Object.keys(screen.required)) {
          await expect(dialog.getByText(`${label} is required`, { exact: true })).toBeVisible()
          if (screen.selects?.includes(label)) {
            const select = dialog.getByRole('combobox', { name: label, exact: true })
            await expect(select).toHaveAttribute('placeholder', `Select ${label}`)
          }
        }
        await expect(dialog.getByText(/ is required$/)).toHaveCount(Object.keys(screen.required).length)

        await fillRequired(dialog, screen)
        const undo = await mockAnswer(page, list, {
          method: 'POST',
          status: 422,
          body: { detail: 'Taken already' },
        })
        await save.click()
        if (failure === 'alert') {
          const alert = page.getByRole('alertdialog', {
            name: `Failed to save ${singular}. Please try again.`,
          })
          await expect(alert).toBeVisible()
          await page.keyboard.press('Escape')
          await expect(alert).toHaveCount(0)
        } else {
          const text =
            failure === 'thrown' ? 'Taken already' : `Failed to save ${singular}. Please try again.`
          await expect(dialog.getByRole('alert').getByText(text, { exact: true })).toBeVisible()
        }
        await expect(dialog).toBeVisible()
        await undo()

        const before = bare.calls.length
        await stopClock(page)
        await save.click()
        await expect(dialog.getByText(`${capital} saved successfully.`)).toBeVisible()
        const listNewCalls = () => bare.calls.slice(before).filter((call) => call.path === list)
        await page.clock.runFor(990)
        await expect(dialog.getByText(`${capital} saved successfully.`)).toBeVisible()
        await expect
          .poll(() => listNewCalls().map(({ method }) => method))
          .toEqual(expect.arrayContaining(['POST', 'GET']))
        const closingDialog = page.locator('[data-closing]')
        await expect(closingDialog).toHaveCount(0)
        // The delay until the close, and the 300 ms of its transition.
        await page.clock.runFor(10)
        await expect(closingDialog).toHaveCount(1)
        await page.clock.runFor(300)
        await expect(dialog).toHaveCount(0)
      },
    )

    test(
      `${plural}: a row opens its form, which saves by ${screen.update} without asking for a secret`,
      variants,
      async ({ page, open, bare }) => {
        await open(path, 'admin')
        const dialog = await openFirst(page)
        await expect(dialog.getByRole('heading')).toHaveText(`Edit ${singular}`)
        await dialog.getByLabel('Name', { exact: true }).fill('Another name')
        const before = bare.calls.length
        await dialog.getByRole('button', { name: 'Save' }).click()
        await expect(dialog.getByText(`${capital} saved successfully.`)).toBeVisible()
        const call = bare.calls.slice(before).find(({ method }) => method !== 'GET')
        expect(call?.method).toBe(screen.update)
        expect(call?.path.replace(/\/$/, '')).toBe(`${list}1`)
        expect(call?.body).toMatchObject({ name: 'Another name' })
        for (const secret of ['password', 'pass']) expect(call?.body).not.toHaveProperty(secret)
      },
    )

    if (!screen.isDeletable) return
    test(
      `${plural}: a deletion asks first; a refusal is an alert, and success closes the form`,
      variants,
      async ({ page, open, bare }) => {
        await open(path, 'admin')
        const dialog = await openFirst(page)
        const undo = await mockAnswer(page, `${list}1{,/}`, {
          method: 'DELETE',
          status: 409,
          body: { detail: 'In use by 3 leads' },
        })
        const remove = dialog.getByRole('button', { name: 'Delete' })
        const confirmation = page.getByRole('alertdialog', {
          name: `Are you sure you want to delete this ${singular}?`,
        })
        await remove.click()
        await page.keyboard.press('Escape')
        await expect(confirmation).toHaveCount(0)
        await remove.click()
        await confirmation.getByRole('button', { name: 'Delete' }).click()
        const refusal = page.getByRole('alertdialog', {
          name: `Failed to delete ${singular}. Please try again.`,
        })
        await expect(refusal).toContainText('In use by 3 leads')
        await page.keyboard.press('Escape')
        await expect(refusal).toHaveCount(0)
        await expect(dialog).toBeVisible()
        await expect(remove).toBeFocused()
        await undo()
        await remove.click()
        await confirmation.getByRole('button', { name: 'Delete' }).click()
        await expect(page.getByRole('dialog')).toHaveCount(0)
        expect(bare.calls.filter(({ method }) => method === 'DELETE')).not.toEqual([])
      },
    )
  })
}
