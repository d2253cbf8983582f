import type { HeaderNames } from '../../platform/spreadsheets/spreadsheets.headers.ts'

/**
 * The columns of a file of acts with their usual headings in English, Russian, and Uzbek in Latin and Cyrillic script.
 * Case, spaces, punctuation and apostrophes are ignored.
 */
export const actHeadings = {
  act_number: ['act', 'act no', 'акт', 'номер акта', '№ акта', 'akt', 'akt raqami', 'далолатнома', 'акт рақами'],
  act_date: ['date of act', 'дата акта', 'akt sanasi', 'акт санаси'],
  paid_at: [
    'paid', 'payment date', 'date paid',
    'дата оплаты', 'дата выплаты', 'оплачен', 'оплачено',
    'toʻlov sanasi', 'toʻlangan sana', 'тўлов санаси',
  ],
  orderno: [
    'order no', 'order number', 'order', 'order id',
    'номер заказа', '№ заказа', 'заказ', 'номер', 'номер отправления',
    'buyurtma raqami', 'buyurtma', 'raqam', 'буюртма рақами', 'буюртма', 'рақам',
  ],
  code: ['line code', 'код', 'код строки', 'kod', 'qator kodi'],
  order_date: ['date of order', 'дата заказа', 'buyurtma sanasi', 'буюртма санаси'],
  delivered_date: [
    'delivered', 'delivery date', 'date delivered',
    'дата доставки', 'доставлен', 'дата вручения',
    'yetkazilgan sana', 'yetkazish sanasi', 'етказилган сана',
  ],
  company: ['company name', 'компания', 'получатель', 'kompaniya', 'qabul qiluvchi', 'қабул қилувчи'],
  collected: [
    'cash collected', 'cod', 'amount', 'sum',
    'получено', 'принято', 'сумма', 'сумма заказа', 'наложенный платеж', 'принято от получателя',
    'olingan summa', 'olingan', 'summa', 'toʻlov', 'олинган сумма', 'сумма тўлов',
  ],
  fee: [
    'fees', 'price', 'services',
    'услуги', 'стоимость услуг', 'итого услуги', 'комиссия',
    'xizmatlar', 'xizmat narxi', 'хизмат нархи',
  ],
  delivery_fee: [
    'delivery', 'delivery price', 'delivery cost',
    'доставка', 'стоимость доставки', 'цена доставки', 'тариф',
    'yetkazib berish', 'yetkazib berish narxi', 'етказиб бериш нархи',
  ],
  cash_fee: [
    'cod fee', 'cash handling',
    'кассовое обслуживание', 'агентское вознаграждение', 'комиссия за наличные', 'за прием денег',
    'kassa xizmati', 'naqd uchun haq', 'касса хизмати',
  ],
  due: [
    'to pay', 'payable', 'amount due',
    'к выплате', 'к перечислению', 'итого к выплате',
    'toʻlanadi', 'toʻlash kerak', 'тўланади',
  ],
  pay_type: ['payment type', 'тип оплаты', 'вид оплаты', 'toʻlov turi', 'тўлов тури'],
  status_title: ['status', 'state', 'статус', 'состояние', 'holat', 'holati', 'ҳолат', 'ҳолати'],
} satisfies HeaderNames<string>

export type ActColumn = keyof typeof actHeadings
