import type { Text } from '../../platform/texts/texts.ts'

export const messageTexts = {
  allTime: { ru: 'За всё время', uz: 'Butun davr', en: 'All time' },
  period: { ru: 'Период: {period}', uz: 'Davr: {period}', en: 'Period: {period}' },
  compared: {
    ru: 'Изменение к периоду {period}',
    uz: '{period} davriga nisbatan o‘zgarish',
    en: 'Change against {period}',
  },
  currencies: {
    ru: 'Суммы в {currencies}, без пересчёта',
    uz: 'Summalar {currencies} da, o‘girilmagan',
    en: 'Sums in {currencies}, without conversion',
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
  search: { ru: 'Поиск: {search}', uz: 'Qidiruv: {search}', en: 'Search: {search}' },
  otherFilters: {
    ru: 'Другие фильтры: {filters, number}',
    uz: 'Boshqa filtrlar: {filters, number}',
    en: 'Other filters: {filters, number}',
  },
  rows: { ru: 'Строк: {rows, number}', uz: 'Qatorlar: {rows, number}', en: 'Rows: {rows, number}' },
  firstRows: { ru: 'Первые строки', uz: 'Birinchi qatorlar', en: 'First rows' },
  moreRows: {
    ru: 'Ещё строк: {rows, number}.',
    uz: 'Yana qatorlar: {rows, number}.',
    en: 'More rows: {rows, number}.',
  },
  fileCut: {
    ru: 'В файле первые {max, number} строк из {rows, number}.',
    uz: 'Faylda {rows, number} qatordan birinchi {max, number} tasi bor.',
    en: 'The file has the first {max, number} of {rows, number} rows.',
  },
  fileTooLarge: {
    ru: 'Файл слишком велик для сообщения. Скачайте его на экране списка.',
    uz: 'Fayl xabar uchun juda katta. Uni ro‘yxat sahifasidan yuklab oling.',
    en: 'The file is too large for a message. Download it on the screen of the list.',
  },
  yes: { ru: 'да', uz: 'ha', en: 'yes' },
  no: { ru: 'нет', uz: 'yo‘q', en: 'no' },
  rest: { ru: 'Остальные', uz: 'Qolganlari', en: 'The rest' },
  none: { ru: 'Нет значения', uz: 'Qiymatsiz', en: 'None' },
  before: { ru: '{name}, раньше', uz: '{name}, avval', en: '{name}, before' },
  noPercent: { ru: 'новое', uz: 'yangi', en: 'new' },
} as const satisfies Record<string, Text>
