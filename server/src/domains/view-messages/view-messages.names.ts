import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { MetricName } from '@karvon/contract/explore/explore.metrics.ts'
import { reportColumnNames } from '@karvon/contract/lib/report-columns.ts'
import type { Text } from '../../platform/texts/texts.ts'

/** The same names as on the screen. */
export const metricNameTexts: Readonly<Record<MetricName, Text>> = {
  leads: { ru: 'Лиды', uz: 'Lidlar', en: 'Leads' },
  profit: { ru: 'Прибыль', uz: 'Foyda', en: 'Profit' },
  hold_amount: { ru: 'В холде', uz: 'Xoldda', en: 'Hold amount' },
  approve_rate: { ru: 'Апрув', uz: 'Tasdiq', en: 'Approve' },
  buyout_rate: { ru: 'Выкуп', uz: 'Xarid', en: 'Buyout' },
  earnings_per_lead: { ru: 'Доход на лид', uz: 'Lidga daromad', en: 'Earnings per lead' },
  average_payout: { ru: 'Средняя выплата', uz: 'O‘rtacha to‘lov', en: 'Average payout' },
  accepted: { ru: 'Принято', uz: 'Qabul', en: reportColumnNames.accepted },
  cancel: { ru: 'Отказ', uz: 'Rad', en: reportColumnNames.cancel },
  recall: { ru: 'Перезвон', uz: 'Qayta aloqa', en: reportColumnNames.recall },
  send: { ru: 'Отправлено', uz: 'Yuborildi', en: reportColumnNames.send },
  sold: { ru: 'Продано', uz: 'Sotildi', en: reportColumnNames.sold },
  returned: { ru: 'Возврат', uz: 'Qaytdi', en: reportColumnNames.returned },
  hold: { ru: 'Холд', uz: 'Xold', en: reportColumnNames.hold },
}

export const dimensionTexts: Readonly<Record<DimensionName, Text>> = {
  day: { ru: 'День', uz: 'Kun', en: 'Day' },
  week: { ru: 'Неделя', uz: 'Hafta', en: 'Week' },
  month: { ru: 'Месяц', uz: 'Oy', en: 'Month' },
  weekday: { ru: 'День недели', uz: 'Hafta kuni', en: 'Weekday' },
  hour: { ru: 'Час', uz: 'Soat', en: 'Hour' },
  source: { ru: 'Источник', uz: 'Manba', en: 'Source' },
  offer: { ru: 'Оффер', uz: 'Offer', en: 'Offer' },
  stream: { ru: 'Поток', uz: 'Oqim', en: 'Stream' },
  buyer: { ru: 'Байер', uz: 'Bayer', en: 'Buyer' },
  status: { ru: 'Статус', uz: 'Holat', en: 'Status' },
  region: { ru: 'Регион', uz: 'Hudud', en: 'Region' },
  cancel_reason: { ru: 'Причина отмены', uz: 'Bekor qilish sababi', en: 'Cancel reason' },
  sub1: { ru: 'Саб 1', uz: 'sub1', en: 'sub1' },
  sub2: { ru: 'Саб 2', uz: 'sub2', en: 'sub2' },
  sub3: { ru: 'Саб 3', uz: 'sub3', en: 'sub3' },
}

/** By the number of the weekday; Monday is 1. */
export const weekdayTexts: Readonly<Record<string, Text>> = {
  1: { ru: 'Понедельник', uz: 'Dushanba', en: 'Monday' },
  2: { ru: 'Вторник', uz: 'Seshanba', en: 'Tuesday' },
  3: { ru: 'Среда', uz: 'Chorshanba', en: 'Wednesday' },
  4: { ru: 'Четверг', uz: 'Payshanba', en: 'Thursday' },
  5: { ru: 'Пятница', uz: 'Juma', en: 'Friday' },
  6: { ru: 'Суббота', uz: 'Shanba', en: 'Saturday' },
  7: { ru: 'Воскресенье', uz: 'Yakshanba', en: 'Sunday' },
}
