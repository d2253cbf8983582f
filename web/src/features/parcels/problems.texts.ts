import type { ParcelProblem } from '@karvon/contract/parcels/parcels.ts'
import { speak } from '../../lib/i18n/language.ts'

const reasons: Readonly<Record<ParcelProblem, string>> = {
  refused: 'Отказ',
  postponed: 'Перенос',
  not_agreed: 'Не согласована',
  lost: 'Утеряна',
  still: 'Без движения',
}

/** What the parcels screen says of parcels that need a person. */
export const problemTexts = speak({
  chip: 'Требуют внимания',
  waiting: 'требуют внимания',
  why: 'Почему требуют внимания',
  any: 'Все причины',
  reasons,
  said: (reason: string) => `Требует внимания: ${reason.toLowerCase()}`,
  note: {
    label: 'Заметка',
    placeholder: 'Что известно об этой посылке',
    add: 'Добавить заметку',
    adding: 'Сохранение...',
    failed: 'Не удалось сохранить заметку.',
    empty: 'Напишите заметку',
    by: (name: string) => `Заметка: ${name}`,
  },
})
