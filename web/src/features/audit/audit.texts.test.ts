import { resources } from '@karvon/contract/registry.ts'
import { expect, test } from 'vitest'
import { auditTexts } from './audit.texts.ts'

test('the audit log has a name for every resource', () => {
  const resourceNames = Object.keys(auditTexts.resources)
  expect(resourceNames).toEqual(expect.arrayContaining(resources.map(({ name }) => name)))
})

test('the audit log has a name for every queue whose entries are sent again', () => {
  expect(Object.keys(auditTexts.resources)).toEqual(
    expect.arrayContaining(['uploads', 'notices', 'outgoing-postbacks']),
  )
})
