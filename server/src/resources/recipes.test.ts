import { expect, test } from 'vitest'
import { hasName, readNamedCode, recipeNames } from '../../test/recipe.ts'

test('the code that a recipe names is in the file that it names', () => {
  const named = recipeNames.flatMap((recipe) => readNamedCode(recipe).map((code) => ({ recipe, ...code })))
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((each) => !hasName(each))).toEqual([])
})
