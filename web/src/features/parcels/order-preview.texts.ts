import { formatNumber } from '../../lib/format/number.format.ts'
import { translate } from '../../lib/i18n/language.ts'

const rule = new Intl.PluralRules('ru')
const counted = (count: number, one: string, few: string, many: string) =>
  `${formatNumber(count)}\u00a0${{ one, few }[rule.select(count) as string] ?? many}`

const columns: Readonly<Record<string, string>> = {
  orderno: 'Номер заказа',
  barcode: 'Штрихкод',
  date: 'Дата',
  type: 'Тип',
  weight: 'Вес, кг',
  quantity: 'Мест',
  service: 'Услуга',
  delivery_price: 'Доставка',
  person: 'Получатель',
  company: 'Компания',
  phone: 'Телефон',
  address: 'Адрес',
  town: 'Город',
}

/** The server's messages about a value or a whole file. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^is required$/, 'не заполнено'],
  [/^is not a number$/, 'не число'],
  [/^must not be negative$/, 'меньше нуля'],
  [/^must be a whole number$/, 'не целое число'],
  [/^has more than (\d+) decimals$/, 'знаков после запятой больше $1'],
  [/^is too large$/, 'слишком большое число'],
  [/^is not a day such as .*$/, 'не дата: нужна, например, 21.11.2026'],
  [/^is not a day that exists$/, 'такого дня нет'],
  [/^is longer than (\d+) characters$/, 'длиннее $1 знаков'],
  [/^holds a character that cannot be stored$/, 'есть недопустимый знак'],
  [/^stands in the file twice$/, 'повторяется в файле'],
  [/^comes after (\d+) others: split the file$/, 'заказов больше $1: разделите файл'],
  [/^The workbook is damaged.*$/, 'Файл повреждён: откройте его, сохраните заново и выберите снова.'],
  [/^The workbook could not be read in time.*$/, 'Файл слишком велик для чтения: разделите его.'],
  [/^The file is empty\.$/, 'Файл пуст.'],
  [/^The file is larger than (\d+) MB\.$/, 'Файл больше $1 МБ.'],
  [/^The content of the file is not what \.(\w+) promises\.$/, 'Содержимое файла не похоже на .$1.'],
  [/^The file is damaged or not an office document\.$/, 'Файл повреждён или это не документ.'],
  [/^The file unpacks to more than is taken\.$/, 'Распакованный файл слишком велик.'],
]

/** A message in the language of the screen where it is known, else unchanged. */
function reason(said: string): string {
  const [pattern, text] = reasons.find(([known]) => known.test(said)) ?? []
  return pattern === undefined || text === undefined ? said : said.replace(pattern, text)
}

export const previewTexts = translate({
  label: 'Предпросмотр заказов',
  orders: (orders: number) => `Распознано ${counted(orders, 'заказ', 'заказа', 'заказов')}`,
  faulty: (rows: number) =>
    `${counted(rows, 'строка', 'строки', 'строк')} с\u00a0${rows === 1 ? 'ошибкой' : 'ошибками'}`,
  noOrders: 'Таблица заказов не найдена: файл будет отправлен как документ.',
  noOrdersHint:
    'Заказы узнаются по строке заголовков: номер заказа и хотя бы ещё один столбец, как в шаблоне.',
  unreadable: 'Прочитать таблицу не удалось.',
  refused: 'Такой файл, скорее всего, не будет принят.',
  failed: 'Показать файл заранее не удалось. Отправить его можно и так.',
  row: '№',
  columns,
  problem: (column: string, message: string) =>
    reason(message.startsWith(`${column} `) ? message.slice(column.length + 1) : message),
  reason,
  unknown: (headings: string) => `Не узнаны и не будут взяты столбцы: ${headings}`,
  moreRows: (rows: number) => `И ещё ${counted(rows, 'строка', 'строки', 'строк')} без ошибок`,
  moreFaulty: (rows: number) => `И ещё ${counted(rows, 'строка', 'строки', 'строк')} с\u00a0ошибками`,
  empty: 'Под заголовками нет ни одной строки.',
})
