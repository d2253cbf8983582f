import { describe, expect, test } from 'vitest'
import { translateTexts, createTranslator } from './catalogue.ts'

const translate = createTranslator(
  {
    Save: 'Сохранить',
    offer: 'оффер',
    Sold: 'Продано',
    Name: 'Название',
    'users|Name': 'Имя',
    '<0> row': '{0} строка',
    '<0> rows': ['{0} строка', '{0} строки', '{0} строк'],
    '<0> of <1>': '{0} из {1}',
    'Failed to save {0}. Please try again.': 'Не удалось сохранить [0]. Попробуйте ещё раз.',
    'Failed to save {0}.': 'Не сохранено: {0}.',
    '{0} is required': 'Заполните поле «[0]»',
    'From {0} to {1}': 'До {1}, от {0}',
    'Made: {0}': 'Сделано: [0]',
  },
  'ru',
)

test('a text is what the catalogue has for it, or stays', () => {
  expect(translate('Save')).toBe('Сохранить')
  expect(translate('Unheard of')).toBe('Unheard of')
  expect(translate('toString')).toBe('toString')
  expect(translate('')).toBe('')
})

test('a word can have a translation of its own where it stands', () => {
  expect(translate('Name', 'users')).toBe('Имя')
  expect(translate('Name', 'offers')).toBe('Название')
  expect(translate('Save', 'users')).toBe('Сохранить')
})

describe('values', () => {
  test('go where the translation wants them', () => {
    expect(translate('From 1.11 to 3.11')).toBe('До 3.11, от 1.11')
  })

  test('stay as they are, unless they are texts themselves', () => {
    expect(translate('Failed to save offer.')).toBe('Не сохранено: offer.')
    expect(translate('Failed to save offer. Please try again.')).toBe(
      'Не удалось сохранить оффер. Попробуйте ещё раз.',
    )
    expect(translate('Name is required')).toBe('Заполните поле «Название»')
    expect(translate('Широта is required')).toBe('Заполните поле «Широта»')
  })

  test('keep the small letter that their sentence gave them', () => {
    expect(translate('Made: sold')).toBe('Сделано: продано')
    expect(translate('Made: Sold')).toBe('Сделано: Продано')
    expect(translate('Made: $& {0} [0]')).toBe('Сделано: $& {0} [0]')
  })

  test('in angle brackets have no space, so that a longer sentence is not taken for another', () => {
    expect(translate('3\u00a0MB of 12\u00a0MB')).toBe('3\u00a0MB из 12\u00a0MB')
    expect(translate('The end of the day')).toBe('The end of the day')
  })
})

test.each([
  ['1 row', '1 строка'],
  ['2 rows', '2 строки'],
  ['5 rows', '5 строк'],
  ['11 rows', '11 строк'],
  ['21 rows', '21 строка'],
  ['1\u00a0002 rows', '1\u00a0002 строки'],
  ['1,011 rows', '1,011 строк'],
])('%j is counted as %j', (said, shown) => expect(translate(said)).toBe(shown))

test('texts are translated in any nesting, functions by what they answer', () => {
  const texts = {
    save: 'Save',
    inner: { rows: (count: number) => `${count} rows`, list: ['Save', 'Sold'], none: undefined, four: 4 },
  }
  const shown = translateTexts(texts, translate)
  expect(shown.save).toBe('Сохранить')
  expect(shown.inner.rows(3)).toBe('3 строки')
  expect(shown.inner.list).toEqual(['Сохранить', 'Продано'])
  expect(shown.inner.none).toBeUndefined()
  expect(shown.inner.four).toBe(4)
})
