import type { Page } from '@playwright/test'
import { expect, mockAnswer, test } from '../src/bare.ts'

/** An account whose last run is done. */
const accountRow = (runId: number) => ({
  id: 1,
  name: 'Network 1',
  health: {
    running: false,
    next_run_at: '2026-11-01T10:00:00+05:00',
    failures: 0,
    paused_until: null,
    gap: null,
    last_run: {
      id: runId,
      status: 'done',
      started_at: '2026-11-01T09:00:00+05:00',
      part: null,
      page: null,
      counts: {},
      error: null,
      reasons: [],
    },
  },
})

/** Answers the polls of the account with its last run. */
const mockPolls = (page: Page, readRunId: () => number) =>
  mockAnswer(page, '/api/admin/source-credentials/1/', (route) =>
    route.fulfill({ json: { items: [accountRow(readRunId())] } }),
  )

test.describe('A host with syncs', () => {
  test.use({ features: ['fetching'] })

  test('a run that is requested while the list shows the run before it is followed to its end', async ({
    page,
    open,
  }) => {
    let runId = 5
    const gate = Promise.withResolvers<void>()
    await mockAnswer(page, '/api/admin/source-credentials/?*', async (route) => {
      if (runId > 5) await gate.promise
      await route.fulfill({ json: { items: [accountRow(runId)], meta: { total: 1 } } })
    })
    await mockPolls(page, () => runId)
    await mockAnswer(page, '/api/admin/source-credentials/1/run/', { body: { id: 1, running: false } })
    await open('/users?tab=source-credentials', 'admin')
    const run = page.getByRole('button', { name: 'Run now' })
    const state = page.getByText('Queued…', { exact: true })
    await run.click()
    await expect(state).toBeVisible()
    const reload = page.waitForRequest(/source-credentials\/\?/)
    runId = 6
    await reload
    await run.click()
    await expect(run).toBeEnabled()
    gate.resolve()
    // Longer than the interval of the polls.
    await page.waitForTimeout(3000)
    await expect(state).toBeVisible()
    runId = 7
    await expect(state).toHaveCount(0)
  })

  test('a run that ended after the list was loaded is not the result of a later request', async ({
    page,
    open,
  }) => {
    let runId = 6
    await mockAnswer(page, '/api/admin/source-credentials/?*', {
      body: { items: [accountRow(5)], meta: { total: 1 } },
    })
    await mockPolls(page, () => runId)
    await mockAnswer(page, '/api/admin/source-credentials/1/run/', {
      body: { id: 1, running: false, previous_run_id: 6 },
    })
    await open('/users?tab=source-credentials', 'admin')
    await page.getByRole('button', { name: 'Run now' }).click()
    const state = page.getByText('Queued…', { exact: true })
    await expect(state).toBeVisible()
    // Longer than the interval of the polls.
    await page.waitForTimeout(3000)
    await expect(state).toBeVisible()
    runId = 7
    await expect(state).toHaveCount(0)
  })
})
