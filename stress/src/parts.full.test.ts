import { describe, expect, test } from 'vitest'
import { parts } from './parts.ts'

describe('the stress parts, in short form', () => {
  test.each(parts)('$name: $about', async (part) => {
    const { figures, faults } = await part.run('short', () => {})
    expect(faults).toEqual([])
    expect(Object.keys(figures)).not.toEqual([])
  })
})
