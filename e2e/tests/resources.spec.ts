import { answer, expect, stopClock, test } from '../src/bare.ts'
import { sampleOf, variants } from '../src/extent.ts'
import { fillRequired, openFirst, resourceScreens } from '../src/resources.ts'

test.use({ expectedStatus: [404, 409, 422, 500] })

for (const screen of sampleOf(resourceScreens)) {
  const { path, list, one, many, failure } = screen
  const capital = one.charAt(0).toUpperCase() + one.slice(1)

  test.describe(many, () => {
    test(
      `${many}: a failed load says so with its reason and comes back by Try again; empty says so`,
      variants,
      async ({ page, open }) => {
        const undo = await answer(page, `${list}?*`, {
          status: 500,
          body: { detail: 'The database is away' },
        })
        await open(path, 'admin')
        const alert = page.getByRole('alert')
        await expect(alert).toContainText(`Failed to load ${many}. Please try again.`)
        await expect(alert).toContainText('The database is away')
        await undo()
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect(page.locator('tr[data-key]')).not.toHaveCount(0)
        await answer(page, `${list}?*`, { body: { items: [], meta: { total: 0 } } })
        await page.reload()
        const empty = one === 'user' ? 'No users found' : 'No data found.'
        await expect(page.getByText(empty, { exact: true })).toBeVisible()
      },
    )

    test(
      `${many}: required fields, a save that fails keeps the form open, one that succeeds says so and closes after 1000 ms`,
      variants,
      async ({ page, open, bare }) => {
        await page.clock.install()
        await open(path, 'admin')
        await expect(page.locator('tr[data-key]')).not.toHaveCount(0)
        await page.getByRole('button', { name: `New ${one}` }).click()
        const dialog = page.getByRole('dialog', { name: `New ${one}` })
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
        const undo = await answer(page, list, {
          method: 'POST',
          status: 422,
          body: { detail: 'Taken already' },
        })
        await save.click()
        if (failure === 'alert') {
          const said = page.getByRole('alertdialog', { name: `Failed to save ${one}. Please try again.` })
          await expect(said).toBeVisible()
          await page.keyboard.press('Escape')
          await expect(said).toHaveCount(0)
        } else {
          const text = failure === 'thrown' ? 'Taken already' : `Failed to save ${one}. Please try again.`
          await expect(dialog.getByRole('alert').getByText(text, { exact: true })).toBeVisible()
        }
        await expect(dialog).toBeVisible()
        await undo()

        const before = bare.calls.length
        await stopClock(page)
        await save.click()
        await expect(dialog.getByText(`${capital} saved successfully.`)).toBeVisible()
        const since = () => bare.calls.slice(before).filter((call) => call.path === list)
        await page.clock.runFor(990)
        await expect(dialog.getByText(`${capital} saved successfully.`)).toBeVisible()
        await expect
          .poll(() => since().map(({ method }) => method))
          .toEqual(expect.arrayContaining(['POST', 'GET']))
        const closing = page.locator('[data-closing]')
        await expect(closing).toHaveCount(0)
        // The close, and the 300 ms of its transition.
        await page.clock.runFor(10)
        await expect(closing).toHaveCount(1)
        await page.clock.runFor(300)
        await expect(dialog).toHaveCount(0)
      },
    )

    test(
      `${many}: a row opens its form, which travels by ${screen.update} and needs no secret again`,
      variants,
      async ({ page, open, bare }) => {
        await open(path, 'admin')
        const dialog = await openFirst(page)
        await expect(dialog.getByRole('heading')).toHaveText(`Edit ${one}`)
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

    if (!screen.removable) return
    test(
      `${many}: deletion is confirmed; refused it is an alert, done it closes the form`,
      variants,
      async ({ page, open, bare }) => {
        await open(path, 'admin')
        const dialog = await openFirst(page)
        const undo = await answer(page, `${list}1{,/}`, {
          method: 'DELETE',
          status: 409,
          body: { detail: 'In use by 3 leads' },
        })
        const remove = dialog.getByRole('button', { name: 'Delete' })
        const sure = page.getByRole('alertdialog', { name: `Are you sure you want to delete this ${one}?` })
        await remove.click()
        await page.keyboard.press('Escape')
        await expect(sure).toHaveCount(0)
        await remove.click()
        await sure.getByRole('button', { name: 'Delete' }).click()
        const refused = page.getByRole('alertdialog', { name: `Failed to delete ${one}. Please try again.` })
        await expect(refused).toContainText('In use by 3 leads')
        await page.keyboard.press('Escape')
        await expect(refused).toHaveCount(0)
        await expect(dialog).toBeVisible()
        await undo()
        await remove.click()
        await sure.getByRole('button', { name: 'Delete' }).click()
        await expect(page.getByRole('dialog')).toHaveCount(0)
        expect(bare.calls.filter(({ method }) => method === 'DELETE')).not.toEqual([])
      },
    )
  })
}
