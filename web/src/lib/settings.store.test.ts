import { expect, test } from 'vitest'
import { featureNames } from '@karvon/contract/lib/features.ts'
import { isAnnounced, readSettings } from './settings.store.ts'

test('a host that announces nothing has no feature', () => {
  for (const answer of [null, undefined, 'x', 5, [], {}, { leads: 'yes', exports: 1 }]) {
    const settings = readSettings(answer)
    expect(featureNames.filter((name) => isAnnounced(name, settings))).toEqual([])
    expect(isAnnounced('registration', settings)).toBe(false)
    expect(isAnnounced(undefined, settings)).toBe(true)
  }
})

test('an announced feature is on, and an invalid setting has its default', () => {
  const settings = readSettings({ leads: true, registration: 'live', currency: 7, time_zone: 'Mars/Base' })
  expect(isAnnounced('leads', settings)).toBe(true)
  expect(isAnnounced('audit', settings)).toBe(false)
  expect(isAnnounced('registration', settings)).toBe(true)
  expect(settings).toMatchObject({ currency: 'UZS', time_zone: 'Asia/Tashkent' })
})
