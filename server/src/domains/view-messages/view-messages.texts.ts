import type { Text } from '../../platform/texts/texts.ts'

export const messageTexts = {
  allTime: { ru: 'За всё время', uz: 'Butun davr', en: 'All time' },
  period: { ru: 'Период: {period}', uz: 'Davr: {period}', en: 'Period: {period}' },
  compared: {
    ru: 'Изменение к периоду {period}',
    uz: '{period} davriga nisbatan o‘zgarish',
    en: 'Change against {period}',
  },
  total: { ru: 'Итого', uz: 'Jami', en: 'Total' },
  top: { ru: '{dimension}: {metric}', uz: '{dimension}: {metric}', en: '{dimension}: {metric}' },
  more: {
    ru: 'Ещё строк: {rows, number}. Все — в файле.',
    uz: 'Yana qatorlar: {rows, number}. Hammasi faylda.',
    en: 'More rows: {rows, number}. The file has all of them.',
  },
  empty: {
    ru: 'За этот период лидов нет.',
    uz: 'Bu davrda lidlar yo‘q.',
    en: 'There are no leads in this period.',
  },
  rest: { ru: 'Остальные', uz: 'Qolganlari', en: 'The rest' },
  none: { ru: 'Нет значения', uz: 'Qiymatsiz', en: 'None' },
  before: { ru: '{name}, раньше', uz: '{name}, avval', en: '{name}, before' },
  noPercent: { ru: 'новое', uz: 'yangi', en: 'new' },
} as const satisfies Record<string, Text>
