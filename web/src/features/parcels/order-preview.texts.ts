import { defineMessages, fillText } from '../../lib/i18n/messages.ts'
import type { ServerMessage } from '../../lib/server-messages.ts'
import { translateToRussian } from '../../resources/russian-errors.ts'

const columns: Readonly<Record<string, string>> = {
  orderno: 'Номер заказа',
  barcode: 'Штрихкод',
  date: 'Дата',
  type: 'Тип',
  weight: 'Вес, кг',
  quantity: 'Мест',
  service: 'Услуга',
  delivery_price: 'Доставка',
  cod_amount: 'К получению',
  pay_type: 'Оплата',
  declared_value: 'Объявленная ценность',
  items: 'Товары',
  person: 'Получатель',
  company: 'Компания',
  phone: 'Телефон',
  address: 'Адрес',
  town: 'Город',
}

export const previewTexts = defineMessages('orderPreview', {
  label: 'Предпросмотр заказов',
  orders: {
    one: 'Распознано {count, number}\u00a0заказ',
    few: 'Распознано {count, number}\u00a0заказа',
    other: 'Распознано {count, number}\u00a0заказов',
  },
  faulty: {
    one: '{count, number}\u00a0строка с\u00a0ошибкой',
    few: '{count, number}\u00a0строки с\u00a0ошибками',
    other: '{count, number}\u00a0строк с\u00a0ошибками',
  },
  noOrders: 'Таблица заказов не найдена: файл будет отправлен как документ.',
  noOrdersHint:
    'Заказы узнаются по строке заголовков: номер заказа и хотя бы ещё один столбец, как в шаблоне.',
  unreadable: 'Прочитать таблицу не удалось.',
  refused: 'Такой файл, скорее всего, не будет принят.',
  failed: 'Показать файл заранее не удалось. Отправить его можно и так.',
  row: '№',
  columns,
  unknown: 'Не узнаны и не будут взяты столбцы: {headings}',
  moreRows: {
    one: 'И ещё {count, number}\u00a0строка без ошибок',
    few: 'И ещё {count, number}\u00a0строки без ошибок',
    other: 'И ещё {count, number}\u00a0строк без ошибок',
  },
  moreFaulty: {
    one: 'И ещё {count, number}\u00a0строка с\u00a0ошибками',
    few: 'И ещё {count, number}\u00a0строки с\u00a0ошибками',
    other: 'И ещё {count, number}\u00a0строк с\u00a0ошибками',
  },
  empty: 'Под заголовками нет ни одной строки.',
  /** The server's messages about a cell, without the column's name, and about a whole file. By their codes. */
  reasons: {
    required: 'не заполнено',
    formula_error: 'ошибка формулы {error}',
    formula_not_calculated: 'формула не вычислена: откройте файл в Excel, сохраните и выберите снова',
    number_shortened: 'от числа остались первые цифры, {number}: задайте столбцу текстовый формат',
    not_a_number: 'не число',
    number_negative: 'меньше нуля',
    must_be_whole_number: 'не целое число',
    more_decimals: 'знаков после запятой больше {max}',
    number_too_large: 'слишком большое число',
    unknown_pay_type: 'неизвестный вид оплаты',
    too_many_entries: 'товаров больше {max}',
    not_a_day: 'не дата: нужна, например, 21.11.2026',
    day_not_real: 'такого дня нет',
    longer_than: 'длиннее {max} знаков',
    unstorable_character: 'есть недопустимый знак',
    duplicate_in_file: 'повторяется в файле',
    total_row: 'это итог, а не заказ',
    too_many_orders: 'заказов больше {max}: разделите файл',
    workbook_damaged: 'Файл повреждён: откройте его, сохраните заново и выберите снова.',
    workbook_timeout: 'Файл слишком велик для чтения: разделите его.',
    file_empty: 'Файл пуст.',
    file_too_large: 'Файл больше {megabytes} МБ.',
    file_type_mismatch: 'Содержимое файла не похоже на .{extension}.',
    file_damaged: 'Файл повреждён или это не документ.',
    file_unpacks_too_large: 'Распакованный файл слишком велик.',
  },
})

const reasons: Readonly<Record<string, (typeof previewTexts.reasons)[keyof typeof previewTexts.reasons]>> =
  previewTexts.reasons

/** A message of the server in the words of this screen, else in those of all Russian screens. */
export function describePreviewProblem(problem: ServerMessage): string {
  const { code = '', params = {} } = problem
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  return reason === undefined ? translateToRussian(problem) : fillText(reason, params)
}
