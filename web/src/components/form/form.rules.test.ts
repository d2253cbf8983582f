import { describe, expect, test } from 'vitest'
import { defaultTexts } from '../texts.ts'
import { type FormField, type FormValues, validateForm, getInitialValues } from './form.rules.ts'

const check = (field: Partial<FormField>, value: FormValues[string]) =>
  validateForm([{ name: 'it', label: 'Price', kind: 'text', ...field }], { it: value }, defaultTexts).it

const validate = () => 'own'

describe('Empty fields', () => {
  test.each([
    ['text', ''],
    ['text', '   '],
    ['select', ''],
    ['multiselect', []],
    ['checkbox', false],
    ['file', null],
  ] as const)('an empty required field of kind %s is reported', (kind, value) => {
    const empty = typeof value === 'object' && value ? [...value] : value
    expect(check({ kind, required: true }, empty)).toBe('Price is required')
    expect(check({ kind }, empty)).toBeUndefined()
  })

  test('an empty field is not checked by its own rule', () => {
    expect(check({ validate: () => 'never' }, '')).toBeUndefined()
  })
})

describe('Filled fields', () => {
  test('a filled field is checked by its kind before its own rule', () => {
    expect(check({ kind: 'money', validate }, '1.234')).toBe(defaultTexts.invalidMoney)
    expect(check({ kind: 'money', validate }, '1.23')).toBe('own')
    expect(check({ kind: 'money' }, '12345678901234567890')).toBe(defaultTexts.tooLarge)
    expect(check({ kind: 'money' }, '-12345678901234567890')).toBe(defaultTexts.tooLarge)
    expect(check({ kind: 'number' }, '1.5')).toBe(defaultTexts.invalidNumber)
    expect(check({ kind: 'email' }, 'a b@c')).toBe(defaultTexts.invalidEmail)
    expect(check({ kind: 'email' }, 'anna@karvon.uz')).toBeUndefined()
    expect(check({ kind: 'number' }, '15')).toBeUndefined()
    expect(check({ kind: 'url' }, 'javascript:alert(1)')).toBe(defaultTexts.invalidUrl)
    expect(check({ kind: 'url' }, 'https://karvon.uz/x')).toBeUndefined()
  })

  test.each(['a@b@c', 'a', '@b', 'a@', 'a @b', 'a@b c'])('the text %j is no e-mail address', (text) => {
    expect(check({ kind: 'email' }, text)).toBe(defaultTexts.invalidEmail)
  })

  test.each(['http://', 'x https://karvon.uz', 'ftp://karvon.uz'])(
    'the text %j is no web address',
    (text) => {
      expect(check({ kind: 'url' }, text)).toBe(defaultTexts.invalidUrl)
    },
  )

  test('the spaces around a text do not count, but those of a password do', () => {
    expect(check({ kind: 'email' }, ' a@b ')).toBeUndefined()
    expect(check({ kind: 'url' }, ' HTTP://karvon.uz ')).toBeUndefined()
    expect(check({ maxLength: 3 }, ' abc ')).toBeUndefined()
    expect(check({ maxLength: 3 }, 'abcd')).toBe(defaultTexts.tooLong({ label: 'Price', max: 3 }))
    expect(check({ kind: 'password', maxLength: 3 }, ' abc ')).toBe(
      defaultTexts.tooLong({ label: 'Price', max: 3 }),
    )
  })

  test("a select's value must be one of its options, unless the server searches them", () => {
    const options = [
      { value: '1', label: 'One' },
      { value: '3', label: 'Three' },
    ]
    expect(check({ kind: 'select', options }, '2')).toBe('Please select a valid option')
    expect(check({ kind: 'select', options }, '1')).toBeUndefined()
    expect(check({ kind: 'select', options, onSearch: async () => [] }, '2')).toBeUndefined()
    expect(check({ kind: 'select', options: [] }, '2')).toBeUndefined()
    expect(check({ kind: 'radio', options }, '2')).toBe('Please select a valid option')
    expect(check({ kind: 'text', options }, '2')).toBeUndefined()
  })

  test("a field's rule may use the other fields", () => {
    const fields: FormField[] = [
      { name: 'password', label: 'Password', kind: 'password' },
      {
        name: 'again',
        label: 'Again',
        kind: 'password',
        validate: (value, values) => (value === values.password ? null : 'Passwords do not match'),
      },
    ]
    expect(validateForm(fields, { password: 'a', again: 'b' }, defaultTexts)).toEqual({
      again: 'Passwords do not match',
    })
    expect(validateForm(fields, { password: 'a', again: 'a' }, defaultTexts)).toEqual({})
  })

  test('a field is checked only while the values show it', () => {
    const isShown = ({ it }: FormValues) => it === 'x'
    const fields: FormField[] = [{ name: 'more', label: 'More', kind: 'text', required: true, isShown }]
    expect(validateForm(fields, { it: 'x' }, defaultTexts)).toEqual({ more: 'More is required' })
    expect(validateForm(fields, { it: 'y' }, defaultTexts)).toEqual({})
  })

  test('a disabled field is not checked', () => {
    expect(check({ required: true, disabled: true }, '')).toBeUndefined()
  })
})

test('a form starts with the given values and the empty value of each kind', () => {
  const fields: FormField[] = [
    { name: 'name', label: 'Name', kind: 'text' },
    { name: 'on', label: 'On', kind: 'checkbox' },
    { name: 'sources', label: 'Sources', kind: 'multiselect' },
    { name: 'photo', label: 'Photo', kind: 'file' },
    { name: 'note', label: 'Note', kind: 'textarea' },
  ]
  expect(getInitialValues(fields, { name: 'Soat', other: 'x' })).toEqual({
    name: 'Soat',
    on: false,
    sources: [],
    photo: null,
    note: '',
  })
})
