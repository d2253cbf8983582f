import { expect, test } from 'vitest'
import { moveInRow } from './arrow-keys.ts'

const plain = { altKey: false, ctrlKey: false, metaKey: false }

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 2, 0],
  ['ArrowLeft', 0, 2],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['Tab', 1, null],
])('%s moves from element %i of a row of three to %s', (key, from, to) => {
  expect(moveInRow({ ...plain, key }, from, 3)).toBe(to)
})

test('Alt+Left stays the back of the browser in a row of tabs or chips', () => {
  expect(moveInRow({ ...plain, key: 'ArrowLeft', altKey: true }, 1, 3)).toBeNull()
})
