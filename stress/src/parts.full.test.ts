import { describe, expect, test } from 'vitest'
import { parts } from './parts.ts'

describe('Short stress parts', () => {
  test.for(parts)('$name: $description', async (part, { skip }) => {
    skip(part.missing !== undefined, part.missing)
    const { figures, failures } = await part.run('short', () => {})
    expect(failures).toEqual([])
    expect(Object.keys(figures)).not.toEqual([])
  })
})
