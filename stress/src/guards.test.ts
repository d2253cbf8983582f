import { expect, test } from 'vitest'
import { findGuardProblems } from './guards.problems.ts'
import { guards } from './guards.list.ts'

test.each(guards)('$name: the code of the guard occurs once in its file, and its tests exist', (guard) => {
  expect(findGuardProblems(guard)).toEqual([])
})
