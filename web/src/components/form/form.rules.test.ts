import { describe, expect, test } from 'vitest'
import { defaultTexts } from '../texts.ts'
import { type FormField, type FormValues, validateForm, getInitialValues } from './form.rules.ts'

const check = (field: Partial<FormField>, value: FormValues[string]) =>
  validateForm([{ name: 'it', label: 'Price', kind: 'text', ...field }], { it: value }, defaultTexts).it

const validate = () => 'own'

describe('an empty field', () => {
  test.each([
    ['text', ''],
    ['text', '   '],
    ['select', ''],
    ['multiselect', []],
    ['checkbox', false],
    ['file', null],
  ] as const)('of kind %s is named when it is required', (kind, value) => {
    const empty = typeof value === 'object' && value ? [...value] : value
    expect(check({ kind, required: true }, empty)).toBe('Price is required')
    expect(check({ kind }, empty)).toBeUndefined()
  })

  test('is not asked its own rule', () => {
    expect(check({ validate: () => 'never' }, '')).toBeUndefined()
  })
})

describe('a filled field', () => {
  test('follows its kind before its own rule', () => {
    expect(check({ kind: 'money', validate }, '1.234')).toBe(defaultTexts.invalidMoney)
    expect(check({ kind: 'money', validate }, '1.23')).toBe('own')
    expect(check({ kind: 'number' }, '1.5')).toBe(defaultTexts.invalidNumber)
    expect(check({ kind: 'email' }, 'a b@c')).toBe(defaultTexts.invalidEmail)
    expect(check({ kind: 'email' }, 'a@b')).toBeUndefined()
    expect(check({ kind: 'url' }, 'javascript:alert(1)')).toBe(defaultTexts.invalidUrl)
    expect(check({ kind: 'url' }, 'https://karvon.uz/x')).toBeUndefined()
  })

  test('must be one of its options, unless the server searches them', () => {
    const options = [{ value: '1', label: 'One' }]
    expect(check({ kind: 'select', options }, '2')).toBe('Please select a valid option')
    expect(check({ kind: 'select', options }, '1')).toBeUndefined()
    expect(check({ kind: 'select', options, onSearch: async () => [] }, '2')).toBeUndefined()
  })

  test('may look at the other fields', () => {
    const fields: FormField[] = [
      { name: 'password', label: 'Password', kind: 'password' },
      {
        name: 'again',
        label: 'Again',
        kind: 'password',
        validate: (value, all) => (value === all.password ? null : 'Passwords do not match'),
      },
    ]
    expect(validateForm(fields, { password: 'a', again: 'b' }, defaultTexts)).toEqual({
      again: 'Passwords do not match',
    })
    expect(validateForm(fields, { password: 'a', again: 'a' }, defaultTexts)).toEqual({})
  })

  test('is not checked while it is disabled', () => {
    expect(check({ required: true, disabled: true }, '')).toBeUndefined()
  })
})

test('a form starts with the values given and the empty ones of each kind', () => {
  const fields: FormField[] = [
    { name: 'name', label: 'Name', kind: 'text' },
    { name: 'on', label: 'On', kind: 'checkbox' },
    { name: 'sources', label: 'Sources', kind: 'multiselect' },
  ]
  expect(getInitialValues(fields, { name: 'Soat', other: 'x' })).toEqual({
    name: 'Soat',
    on: false,
    sources: [],
  })
})
