import type { ParcelProblem } from '@karvon/contract/parcels/problems.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

const reasons: Readonly<Record<ParcelProblem, string>> = {
  refused: 'Отказ',
  postponed: 'Перенос',
  not_agreed: 'Не согласована',
  lost: 'Утеряна',
  no_progress: 'Без движения',
}

/** Texts about parcels that have a problem. */
export const problemTexts = defineMessages('parcels.problems', {
  chip: 'Требуют внимания',
  waiting: 'требуют внимания',
  why: 'Почему требуют внимания',
  any: 'Все причины',
  reasons,
  marked: 'Требует внимания: {reason}',
  note: {
    label: 'Заметка',
    placeholder: 'Что известно об этой посылке',
    add: 'Добавить заметку',
    adding: 'Сохранение...',
    failed: 'Не удалось сохранить заметку.',
    empty: 'Напишите заметку',
    by: 'Заметка: {name}',
  },
})
