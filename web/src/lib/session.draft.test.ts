import { afterEach, describe, expect, it } from 'vitest'
import { findDraft, findDraftAddress, keepDraft, reachDraft, takeDraft } from './session.draft.ts'
import { clearSession, saveSession } from './session.store.ts'

const user = { id: 3, username: 'aziz', email: 'a@b.uz', name: 'Aziz', role: 'admin', is_active: true }
const key = { name: 'view-schedule', target: 7 }

afterEach(() => {
  takeDraft(key)
  clearSession()
})

describe('Drafts of a session that ended', () => {
  it('a draft leads the person back once, and stays until its form opens', () => {
    keepDraft({
      ...key,
      token: 'old',
      username: 'aziz',
      address: '/explore?rows=offer',
      values: { time: '6:47' },
    })
    expect(findDraftAddress()).toBeUndefined()
    saveSession({ token: 'new', user })
    expect(findDraftAddress()).toBe('/explore?rows=offer')
    reachDraft('/parcels')
    expect(findDraftAddress()).toBe('/explore?rows=offer')
    reachDraft('/explore?rows=offer')
    expect(findDraftAddress()).toBeUndefined()
    expect(findDraft(key)?.values).toEqual({ time: '6:47' })
  })
})
