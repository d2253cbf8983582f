import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { expect, onTestFinished, test } from 'vitest'
import { callApi, createTestApp, signInAdmin } from '../../../test/app.ts'
import { openListener } from '../../../test/listener.ts'
import { createSample } from '../../../test/sample.ts'
import { ensureConnectors } from './connectors.start.ts'

test('a test of a connector ends when its caller leaves, which is no unexpected error', async () => {
  const network = await openListener()
  const host = `127.0.0.1:${network.port}`
  const lines: string[] = []
  const product = await createTestApp(
    { KARVON_OUTBOUND_ALLOW: host, KARVON_LOG: 'info' },
    {},
    { write: (line) => void lines.push(line) },
  )
  onTestFinished(async () => {
    await product.close()
    network.close()
  })
  const { app, deps } = product
  const admin = await signInAdmin(app)
  await ensureConnectors(deps.db)
  const cpa_source_id = (await createSample(app, admin, cpaSources)).id
  const mapping = { base_url: `http://${host}`, limits: { page_delay_ms: 0 } }
  const website = { name: 'Slow', cpa_source_id, connector: '100k', mapping }
  const answer = await callApi(app, admin, 'POST', '/api/admin/cpa-websites/', website)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const caller = new AbortController()
  network.answer = () => caller.abort()
  const call = fetch(`${url}/api/admin/cpa-websites/${answer.json<{ id: number }>().id}/try/`, {
    method: 'POST',
    headers: { ...admin.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'aziz', pass: 'pass' }),
    signal: caller.signal,
  })
  await expect(call).rejects.toThrow('aborted')
  // Less than the half minute that a network has for an answer.
  await expect.poll(() => app.runningRequests.inUse, { timeout: 20_000 }).toBe(0)
  expect(lines.join('')).not.toContain('Unexpected error')
})
