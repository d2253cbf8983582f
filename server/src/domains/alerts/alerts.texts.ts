import type { Text } from '../../platform/texts/texts.ts'

/** What begins, by the kind of the rule. */
export const alertBeginTexts = {
  sync_failing: {
    ru: 'Аккаунт {subject}: {duration} без успешной загрузки',
    uz: '{subject} hisobi: {duration} davomida muvaffaqiyatli yuklash yo‘q',
    en: 'Account {subject}: no good sync for {duration}',
  },
  source_silent: {
    ru: 'Источник {subject}: нет лидов {duration}. Обычно за это время приходит: {base}',
    uz: '{subject} manbasi: {duration} davomida lid yo‘q. Odatda shu vaqtda keladi: {base}',
    en: 'Source {subject}: no leads for {duration}. Usual in this time: {base}',
  },
  approve_drop: {
    ru: 'Поток {subject}: апрув {value}%, за четыре недели до этого {base}%',
    uz: '{subject} oqimi: tasdiq {value}%, undan oldingi to‘rt haftada {base}%',
    en: 'Stream {subject}: approve rate {value}%, in the four weeks before {base}%',
  },
  unmapped_statuses: {
    ru: 'Источник {subject}: несопоставленных статусов {value}',
    uz: '{subject} manbasi: bog‘lanmagan statuslar {value}',
    en: 'Source {subject}: unmapped statuses {value}',
  },
  postbacks_refused: {
    ru: 'Шаблон {subject}: трекер отклонил постбеков за час: {value}',
    uz: '{subject} andozasi: treker bir soatda rad etgan postbeklar: {value}',
    en: 'Template {subject}: postbacks that the tracker refused in an hour: {value}',
  },
  money_difference: {
    ru: 'Аккаунт {subject}: расхождение {amount} {currency}',
    uz: '{subject} hisobi: farq {amount} {currency}',
    en: 'Account {subject}: difference {amount} {currency}',
  },
  silence: {
    ru: '{subject}: нет лидов {duration}',
    uz: '{subject}: {duration} davomida lid yo‘q',
    en: '{subject}: no leads for {duration}',
  },
  metric: {
    ru: '{subject}: {metric} {period}: {value}, порог {threshold}',
    uz: '{subject}: {metric} {period}: {value}, chegara {threshold}',
    en: '{subject}: {metric} {period}: {value}, bound {threshold}',
  },
  metric_history: {
    ru: '{subject}: {metric} {period}: {value}, обычно {base}',
    uz: '{subject}: {metric} {period}: {value}, odatda {base}',
    en: '{subject}: {metric} {period}: {value}, usual {base}',
  },
} as const satisfies Record<string, Text>

/** What ends, by the kind of the rule. */
export const alertEndTexts = {
  sync_failing: {
    ru: 'Аккаунт {subject} снова загружается',
    uz: '{subject} hisobi yana yuklanmoqda',
    en: 'Account {subject} syncs again',
  },
  source_silent: {
    ru: 'Источник {subject}: лиды снова приходят',
    uz: '{subject} manbasi: lidlar yana kelmoqda',
    en: 'Source {subject}: leads come again',
  },
  approve_drop: {
    ru: 'Поток {subject}: апрув восстановился',
    uz: '{subject} oqimi: tasdiq tiklandi',
    en: 'Stream {subject}: the approve rate has recovered',
  },
  unmapped_statuses: {
    ru: 'Источник {subject}: статусы сопоставлены',
    uz: '{subject} manbasi: statuslar bog‘landi',
    en: 'Source {subject}: the statuses are mapped',
  },
  postbacks_refused: {
    ru: 'Шаблон {subject}: трекер больше не отклоняет постбеки',
    uz: '{subject} andozasi: treker postbeklarni boshqa rad etmayapti',
    en: 'Template {subject}: the tracker refuses no more postbacks',
  },
  money_difference: {
    ru: 'Аккаунт {subject}: расхождение снова в пределах',
    uz: '{subject} hisobi: farq yana chegarada',
    en: 'Account {subject}: the difference is within its bound again',
  },
  silence: {
    ru: '{subject}: лиды снова приходят',
    uz: '{subject}: lidlar yana kelmoqda',
    en: '{subject}: leads come again',
  },
  metric: {
    ru: '{subject}: показатель снова в пределах',
    uz: '{subject}: ko‘rsatkich yana chegarada',
    en: '{subject}: the figure is within its bound again',
  },
} as const satisfies Record<string, Text>

export const alertTexts = {
  began: { ru: 'Требует внимания', uz: 'E’tibor talab qiladi', en: 'Needs attention' },
  ended: { ru: 'Закончилось', uz: 'Tugadi', en: 'Ended' },
  noData: {
    ru: '{subject}: {days} дн. нет данных для сравнения',
    uz: '{subject}: {days} kundan beri taqqoslash uchun ma’lumot yo‘q',
    en: '{subject}: no data to compare for {days} days',
  },
  more: { ru: 'и ещё {count}', uz: 'va yana {count}', en: 'and {count} more' },
  minutes: { ru: '{minutes} мин', uz: '{minutes} daqiqa', en: '{minutes} min' },
  hours: {
    ru: '{hours} ч {minutes} мин',
    uz: '{hours} soat {minutes} daqiqa',
    en: '{hours} h {minutes} min',
  },
  days: { ru: '{days} дн {hours} ч', uz: '{days} kun {hours} soat', en: '{days} d {hours} h' },
} as const satisfies Record<string, Text>

export const metricTexts = {
  leads: { ru: 'лиды', uz: 'lidlar', en: 'leads' },
  accepted: { ru: 'принято', uz: 'qabul', en: 'accepted' },
  cancel: { ru: 'отказ', uz: 'rad', en: 'rejected' },
  recall: { ru: 'перезвон', uz: 'qayta aloqa', en: 'recall' },
  send: { ru: 'отправлено', uz: 'yuborildi', en: 'sent' },
  sold: { ru: 'продано', uz: 'sotildi', en: 'sold' },
  returned: { ru: 'возврат', uz: 'qaytdi', en: 'returned' },
  hold: { ru: 'холд', uz: 'xold', en: 'hold' },
  profit: { ru: 'прибыль', uz: 'foyda', en: 'profit' },
  hold_amount: { ru: 'в холде', uz: 'xoldda', en: 'amount on hold' },
  approve_rate: { ru: 'апрув, %', uz: 'tasdiq, %', en: 'approve rate, %' },
  earnings_per_lead: { ru: 'доход с лида', uz: 'lid daromadi', en: 'earnings per lead' },
  average_payout: { ru: 'средняя выплата', uz: 'o‘rtacha to‘lov', en: 'average payout' },
  buyout_rate: { ru: 'выкуп, %', uz: 'xarid, %', en: 'buyout rate, %' },
} as const satisfies Record<string, Text>

export const periodTexts = {
  today: { ru: 'сегодня', uz: 'bugun', en: 'today' },
  yesterday: { ru: 'вчера', uz: 'kecha', en: 'yesterday' },
  last_7_days: { ru: 'за 7 дней', uz: '7 kunda', en: 'in 7 days' },
  last_30_days: { ru: 'за 30 дней', uz: '30 kunda', en: 'in 30 days' },
  last_90_days: { ru: 'за 90 дней', uz: '90 kunda', en: 'in 90 days' },
  this_week: { ru: 'за эту неделю', uz: 'shu haftada', en: 'this week' },
  last_week: { ru: 'за прошлую неделю', uz: 'o‘tgan haftada', en: 'last week' },
  this_month: { ru: 'за этот месяц', uz: 'shu oyda', en: 'this month' },
  last_month: { ru: 'за прошлый месяц', uz: 'o‘tgan oyda', en: 'last month' },
  this_year: { ru: 'за этот год', uz: 'shu yilda', en: 'this year' },
  all: { ru: 'за всё время', uz: 'butun davrda', en: 'in all time' },
} as const satisfies Record<string, Text>
