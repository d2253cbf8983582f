import { expect, test } from 'vitest'
import { findNextCursor } from './cpa-network.paging.ts'

const findNext = (meta: object, by: 'page' | 'offset' = 'page') =>
  findNextCursor(
    { by, last: 'meta.last', total: 'meta.total', size: 2 },
    {
      cursor: by === 'page' ? '1' : '0',
      rows: 2,
      answer: { meta },
      url: 'https://network.example/orders',
      values: { login: '', pass: '', api_key: '', token: '' },
    },
  )

test.each([
  [{ last: 2 }, '2'],
  [{ last: '2' }, '2'],
  [{ last: 1 }, null],
  [{ last: null, total: null }, '2'],
  [{ last: '', total: ' ' }, '2'],
  [{ last: null, total: '3' }, '2'],
  [{ last: [], total: 2 }, null],
])('after the first page with %j, the next page is %s', (meta, next) => {
  expect(findNext(meta)).toBe(next)
})

test('a list without a total is read until a page is empty', () => {
  expect(findNext({ total: null }, 'offset')).toBe('2')
})
