import { expect, test } from 'vitest'
import { hasName, readNamedCode, recipeNames } from '../../test/recipe.ts'

test('the code that a recipe names is in the file that it names', () => {
  const namedCodes = recipeNames.flatMap((recipe) =>
    readNamedCode(recipe).map((code) => ({ recipe, ...code })),
  )
  expect(namedCodes.length).toBeGreaterThan(15)
  expect(namedCodes.filter((code) => !hasName(code))).toEqual([])
})
