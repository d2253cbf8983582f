import { personLanguages } from '@karvon/contract/lib/language.ts'
import { expect, test } from 'vitest'
import { formatNotice } from './notices.texts.ts'

test('amounts, numbers, days and plural forms of a notice follow its language', () => {
  const missing = { count: 1, parcels: 2, amount: '12345678901234567.50', currency: 'UZS' }
  const amount = '12\u00A0345\u00A0678\u00A0901\u00A0234\u00A0567,50'
  expect(personLanguages.map((language) => formatNotice('missing_money', missing, language))).toEqual([
    `Доставлено и не оплачено курьером дольше 1 дн. Посылок: 2, сумма: ${amount} UZS`,
    `Yetkazilgan, lekin kuryer 1 kundan beri to‘lamagan. Jo‘natmalar: 2, summa: ${amount} UZS`,
    'Delivered and not paid by the courier for more than 1 day. Parcels: 2, amount: 12,345,678,901,234,567.50 UZS',
  ])
  expect(formatNotice('missing_money', { ...missing, count: 14 }, 'en')).toContain('14 days')
  const digest = { from: '2026-11-01', day: '2026-11-30', leads: 1234, sold: 5, amount: '-21500' }
  expect(formatNotice('digest_of_days', digest, 'en')).toBe(
    'Results of 01/11/2026 – 30/11/2026\nLeads: 1,234\nSold: 5\nProfit: -21,500',
  )
  expect(formatNotice('digest', digest, 'uz')).toBe(
    '30.11.2026 yakunlari\nLidlar: 1\u00A0234\nSotildi: 5\nDaromad: -21\u00A0500',
  )
})

test('the text of a person or a courier in a notice stays as it is', () => {
  const params = { amount: '1.00', currency: 'UZS', day: null, reason: '{amount} $& 2026-11-01' }
  expect(formatNotice('withdrawal_declined', params, 'en')).toBe(
    'The withdrawal of 1 UZS is declined: {amount} $& 2026-11-01',
  )
  expect(formatNotice('withdrawal_declined', { ...params, reason: null }, 'en')).toBe(
    'The withdrawal of 1 UZS is declined',
  )
})
