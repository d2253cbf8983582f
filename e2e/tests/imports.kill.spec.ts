import { expect, test } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageMeta } from '@karvon/contract/lib/page.ts'
import { Api } from '../src/api.ts'
import { startDesk, type Desk } from '../src/desk.ts'
import { leadFile, parcelFile, type OrderFile } from '../src/orders.ts'

const rounds = 10
const rows = 2000

interface Import {
  path: string
  list: string
  file: OrderFile
}

/** What an import answered, or null when the kill came first. */
async function acknowledged(api: Api, { path, file }: Import, sourceId: number): Promise<boolean> {
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
    { path: '/api/admin/leads/import/', list: '/api/admin/leads/', file: leadFile('leads.csv', first, rows) },
    {
      path: '/api/admin/parcels/import/',
      list: '/api/parcel/parcels/all',
      file: parcelFile('parcels.csv', first, rows),
    },
  ]
}

test('kill -9 of the whole process group during an import, ten times, loses and repeats nothing', async () => {
  test.setTimeout(300_000)
  let desk: Desk = await startDesk()
  let api = await Api.signIn(desk.url, desk.admin.username, desk.admin.password)
  const source = await api.call<{ id: number }>('POST', '/api/admin/cpa-sources/', {
    name: '100k.uz',
    url: 'https://100k.uz',
  })
  const least = new Map<string, number>()
  let interrupted = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const running = imports(round)
      const answers = Promise.all(running.map((each) => acknowledged(api, each, source.id)))
      await sleep(40 + round * 60)
      await desk.kill()
      const done = await answers
      desk = await startDesk({}, desk)
      api = await Api.signIn(desk.url, desk.admin.username, desk.admin.password)
      for (const [i, { list, file }] of running.entries()) {
        if (done[i]) least.set(list, (least.get(list) ?? 0) + file.rows)
        else interrupted++
        expect(await rowsOf(api, list), `${list} after round ${round}`).toBeGreaterThanOrEqual(
          least.get(list) ?? 0,
        )
      }
    }
    expect(interrupted, 'imports that the kill cut off').toBeGreaterThan(0)
    for (let round = 0; round < rounds; round++) {
      for (const each of imports(round)) expect(await acknowledged(api, each, source.id)).toBe(true)
    }
    for (const { list } of imports(0)) expect(await rowsOf(api, list), list).toBe(rounds * rows)
    const daily = await api.call<{ meta: { totals: { leads: number; profit: number } } }>(
      'GET',
      '/api/admin/report/daily',
    )
    const payouts = Array.from({ length: rounds * rows }, (_, i) => 1000 + (i % 7))
    expect(daily.meta.totals.leads).toBe(rounds * rows)
    expect(daily.meta.totals.profit).toBe(payouts.reduce((sum, each) => sum + each, 0))
  } finally {
    await desk.stop()
  }
})
