import { describe, expect, test } from 'vitest'
import type { Part } from './part.ts'

/** Defines a test for each part, which runs its short form. */
export function testShortForms(parts: readonly Part[]): void {
  describe('Short stress parts', () => {
    test.for(parts)('$name: $description', async (part, { skip }) => {
      skip(part.missing !== undefined, part.missing)
      const { figures, failures } = await part.run('short', () => {})
      // The message names each failure. The comparison alone prints the number of items.
      expect(failures, failures.join('\n')).toEqual([])
      expect(Object.keys(figures)).not.toEqual([])
    })
  })
}
