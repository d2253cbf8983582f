import { expect, signIn, test } from '../src/test.ts'

test.use({ expectedStatus: [401], expectedText: ['Failed to load resource'] })

test('the page of the API asks to sign in, and shows the calls to a signed-in person', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/api/docs`)
  await expect(page.getByText('Sign in to Karvon in this browser, then reload this page')).toBeVisible()
  await signIn(page, product.url, product.admin.username, product.admin.password)
  await page.goto(`${product.url}/api/docs`)
  await expect(page.getByRole('heading', { name: 'Karvon 1 OAS 3.1' })).toBeVisible()
  await expect(page.getByText('/parcel/auth/login', { exact: true })).toBeVisible()
})
