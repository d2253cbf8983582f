import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildPageMeta, getPageWindow } from './page.ts'

const pages = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }))

test.each([
  [1, 1, [1]],
  [1, 0, [1]],
  [3, 5, [1, 2, 3, 4, 5]],
  [1, 6, [1, 2, 3, 'gap', 6]],
  [2, 6, [1, 2, 3, 'gap', 6]],
  [3, 6, [1, 2, 3, 4, 'gap', 6]],
  [4, 6, [1, 'gap', 3, 4, 5, 6]],
  [6, 6, [1, 'gap', 4, 5, 6]],
  [7, 20, [1, 'gap', 6, 7, 8, 'gap', 20]],
  [99, 20, [1, 'gap', 18, 19, 20]],
])('the page window at page %i of %i is %j', (current, last, pageWindow) => {
  expect(getPageWindow(current, last)).toEqual(pageWindow)
})

test('the page window holds first, last, current and its neighbours, and at most five numbers', () => {
  fc.assert(
    fc.property(pages, ([requestedPage, last]) => {
      const pageWindow = getPageWindow(requestedPage, last)
      const numbers = pageWindow.filter((page) => page !== 'gap')
      const current = Math.min(requestedPage, last)
      expect(numbers.length).toBe(Math.min(last, numbers.length, 5))
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
      for (const page of [1, last, current, Math.max(1, current - 1), Math.min(last, current + 1)])
        expect(numbers).toContain(page)
      if (last <= 5) expect(numbers).toHaveLength(last)
    }),
  )
})

test('the page window has a gap exactly where numbers are left out', () => {
  fc.assert(
    fc.property(pages, ([requestedPage, last]) => {
      const pageWindow = getPageWindow(requestedPage, last)
      for (const [at, page] of pageWindow.entries()) {
        const next = pageWindow[at + 1]
        if (page === 'gap') expect([pageWindow[at - 1], next].includes('gap')).toBe(false)
        else if (typeof next === 'number') expect(next - page).toBe(1)
        else if (next === 'gap') expect(Number(pageWindow[at + 2]) - page).toBeGreaterThan(1)
      }
      expect([pageWindow[0], pageWindow.at(-1)]).toEqual([1, Math.max(1, last)])
    }),
  )
})

/** A reference model of paging: rows in an array. */
function cutPage(rows: number, page: number, size: number) {
  const allRows = Array.from({ length: rows }, (_, i) => i)
  const cut = (number: number) => allRows.slice((number - 1) * size, number * size)
  let last = 1
  while (cut(last + 1).length > 0) last++
  return { items: cut(page), last, after: cut(page + 1).length > 0, before: page > 1 }
}

test('the meta of a page equals the one of an array cut by hand', () => {
  const sizes = fc.record({
    filtered: fc.nat({ max: 500 }),
    others: fc.nat({ max: 500 }),
    page: fc.integer({ min: 1, max: 80 }),
    size: fc.integer({ min: 1, max: 200 }),
  })
  fc.assert(
    fc.property(sizes, ({ filtered, others, page, size }) => {
      const plain = cutPage(filtered, page, size)
      const total = filtered + others
      const meta = buildPageMeta({
        offset: (page - 1) * size,
        size,
        items: plain.items.length,
        total,
        filtered,
      })
      expect(meta).toEqual({
        current_page: page,
        last_page: plain.last,
        items_on_page: plain.items.length,
        per_page: size,
        total,
        total_items: total,
        filtered_total: filtered,
        has_next: plain.after,
        has_previous: plain.before,
        next_page: plain.after ? page + 1 : null,
        // From a page past the end, the previous page is the last one with rows.
        prev_page: plain.before ? Math.min(page - 1, plain.last) : null,
        page_range: getPageWindow(page, plain.last).filter((entry) => entry !== 'gap'),
      })
    }),
  )
})

test('skip and limit give page floor(skip / limit) + 1', () => {
  const meta = buildPageMeta({ offset: 25, size: 10, items: 10, total: 40, filtered: 40 })
  expect([meta.current_page, meta.prev_page, meta.next_page]).toEqual([3, 2, 4])
})
