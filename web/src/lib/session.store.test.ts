import { describe, expect, it } from 'vitest'
import { isAdmin, readSession } from './session.store.ts'

const user = { id: 3, username: 'aziz', email: 'a@b.uz', name: 'Aziz', role: 'admin' }
const readStored = (record: unknown) => readSession(JSON.stringify(record))

describe('Stored session', () => {
  it('a stored session is valid only if it parses and holds a token', () => {
    for (const wrong of [null, '', '{', 'null', '[]', '"token"', '7']) expect(readSession(wrong)).toBeNull()
    for (const wrong of [{}, { user }, { token: '' }, { token: 5 }, { token: null, user }]) {
      expect(readStored(wrong)).toBeNull()
    }
    expect(readStored({ token: 't', user })?.token).toBe('t')
  })

  it('a stored session reads both spellings of is_active', () => {
    expect(readStored({ token: 't', user: { ...user, isActive: false } })?.user?.is_active).toBe(false)
    expect(readStored({ token: 't', user: { ...user, is_active: false } })?.user?.is_active).toBe(false)
    expect(readStored({ token: 't', user })?.user?.is_active).toBe(true)
  })

  it('a session with an unreadable user has no current user and no admin rights', () => {
    for (const wrong of [undefined, null, 'aziz', [], {}, { role: 'admin' }]) {
      const session = readStored({ token: 't', user: wrong })
      expect(session).toEqual({ token: 't', user: null })
      expect(isAdmin(session)).toBe(false)
    }
  })

  it('only the role value admin makes an admin', () => {
    expect(isAdmin(readStored({ token: 't', user }))).toBe(true)
    for (const role of ['Admin', 'ADMIN', 'administrator', '', 'manager', 1, null]) {
      expect(isAdmin(readStored({ token: 't', user: { ...user, role } }))).toBe(false)
    }
  })
})
