import { describe, expect, test } from 'vitest'
import { parts } from './parts.ts'

describe('Short stress parts', () => {
  test.each(parts)('$name: $description', async (part) => {
    const { figures, failures } = await part.run('short', () => {})
    expect(failures).toEqual([])
    expect(Object.keys(figures)).not.toEqual([])
  })
})
