import type { ParcelProblem } from '@karvon/contract/parcels/parcels.ts'
import { translate } from '../../lib/i18n/language.ts'

const reasons: Readonly<Record<ParcelProblem, string>> = {
  refused: 'Отказ',
  postponed: 'Перенос',
  not_agreed: 'Не согласована',
  lost: 'Утеряна',
  still: 'Без движения',
}

/** Texts about parcels that have a problem. */
export const problemTexts = translate({
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
