import { expect, test } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageMeta } from '@karvon/contract/lib/page.ts'
import { Api } from '../src/api.ts'
import { startTestProduct, type Product } from '../src/product.ts'
import { buildLeadFile, buildParcelFile, type OrderFile } from '../src/orders.ts'

const rounds = 4
const rows = 2000

interface Import {
  path: string
  list: string
  file: OrderFile
}

/** Sends an import; false if the process was killed before the answer. */
async function sendImport(api: Api, { path, file }: Import, sourceId: number): Promise<boolean> {
  const form = new FormData()
  form.set('source_id', String(sourceId))
  form.set('file', file.file())
  return api.call('POST', path, form).then(
    () => true,
    () => false,
  )
}

async function rowsOf(api: Api, list: string): Promise<number> {
  const { meta } = await api.call<{ meta: PageMeta }>('GET', `${list}?per_page=1`)
  return meta.total
}

const imports = (round: number): Import[] => {
  const first = round * rows
  return [
    {
      path: '/api/admin/leads/import/',
      list: '/api/admin/leads/',
      file: buildLeadFile('leads.csv', first, rows),
    },
    {
      path: '/api/admin/parcels/import/',
      list: '/api/parcel/parcels/all',
      file: buildParcelFile('parcels.csv', first, rows),
    },
  ]
}

test('kills (-9) of the process group during imports lose no row and duplicate none', async () => {
  test.setTimeout(300_000)
  let product: Product = await startTestProduct()
  let api = await Api.signIn(product.url, product.admin.username, product.admin.password)
  const source = await api.call<{ id: number }>('POST', '/api/admin/cpa-sources/', {
    name: '100k.uz',
    url: 'https://100k.uz',
  })
  const minCounts = new Map<string, number>()
  let interruptedCount = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const running = imports(round)
      const answers = Promise.all(running.map((runningImport) => sendImport(api, runningImport, source.id)))
      await sleep(40 + round * 150)
      await product.kill()
      const results = await answers
      product = await startTestProduct({}, product)
      api = await Api.signIn(product.url, product.admin.username, product.admin.password)
      for (const [i, { list, file }] of running.entries()) {
        if (results[i]) minCounts.set(list, (minCounts.get(list) ?? 0) + file.rows)
        else interruptedCount++
        expect(await rowsOf(api, list), `${list} after round ${round}`).toBeGreaterThanOrEqual(
          minCounts.get(list) ?? 0,
        )
      }
    }
    expect(interruptedCount, 'imports that the kill cut off').toBeGreaterThan(0)
    for (let round = 0; round < rounds; round++) {
      for (const repeatedImport of imports(round))
        expect(await sendImport(api, repeatedImport, source.id)).toBe(true)
    }
    for (const { list } of imports(0)) expect(await rowsOf(api, list), list).toBe(rounds * rows)
    const daily = await api.call<{ meta: { totals: { leads: number; profit: number } } }>(
      'GET',
      '/api/admin/report/daily',
    )
    const payouts = Array.from({ length: rounds * rows }, (_, i) => 1000 + (i % 7))
    expect(daily.meta.totals.leads).toBe(rounds * rows)
    expect(daily.meta.totals.profit).toBe(payouts.reduce((sum, payout) => sum + payout, 0))
  } finally {
    await product.stopAndRemove()
  }
})
