import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSteps, RecipeCopy } from '../../test/recipe.ts'

const steps = readSteps('add-a-migration')
let copy: RecipeCopy

beforeAll(() => {
  copy = new RecipeCopy()
  for (const step of steps) copy.apply(step)
})
afterAll(() => copy.remove())

test('the steps of the recipe add two migrations that run, with types that agree with the database', () => {
  expect(steps.length).toBe(3)
  const files = ['tables', 'migrate', 'migrate.frozen'].map((name) => `database/${name}.test.ts`)
  const { status, output } = copy.run('vitest', 'run', '--root', 'server', ...files)
  expect(output).toMatch(/Test Files\s+3 passed/)
  expect(status).toBe(0)
})

test('the product passes the type check after the recipe', () => {
  expect(copy.run('tsc', '-p', 'server')).toEqual({ status: 0, output: '' })
})
