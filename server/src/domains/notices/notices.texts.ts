import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { fillText, formatLocalAmount, formatLocalDay, type Text } from '../../platform/texts/texts.ts'

const ifNotYou: Record<PersonLanguage, string> = {
  ru: 'Если это сделали не вы, сразу сообщите администратору.',
  uz: 'Agar buni siz qilmagan bo‘lsangiz, darhol administratorga xabar bering.',
  en: 'If it was not you, tell an administrator at once.',
}
const accountChange = (ru: string, uz: string, en: string): Text => ({
  ru: `Karvon: ${ru}. ${ifNotYou.ru}`,
  uz: `Karvon: ${uz}. ${ifNotYou.uz}`,
  en: `Karvon: ${en}. ${ifNotYou.en}`,
})
// The courier's titles are Russian, so the other languages name the problem.
const problem = (uz: string, en: string): Text => ({
  ru: 'Посылка {orderno} требует внимания: {status}',
  uz: `{orderno} jo‘natmasi e’tibor talab qiladi: ${uz}`,
  en: `Parcel {orderno} needs attention: ${en}`,
})

/** The messages of notices. {@link formatNotice} formats the parameters `amount`, `unit`, `day` and `from`. */
export const noticeTexts = {
  parcel_delivered: {
    ru: 'Посылка {orderno} доставлена',
    uz: '{orderno} jo‘natmasi yetkazildi',
    en: 'Parcel {orderno} is delivered',
  },
  parcel_refused: problem('qabul qiluvchi rad etdi', 'the receiver refused it'),
  parcel_postponed: problem('yetkazish ko‘chirildi', 'the delivery is postponed'),
  parcel_not_agreed: problem('yetkazish kelishilmadi', 'the delivery could not be agreed'),
  parcel_lost: problem('jo‘natma yo‘qoldi', 'the parcel is lost'),
  upload_orders_refused: {
    ru: 'Файл {name} проверен на вирусы, но загружены не все его заказы. Загрузите его ещё раз, чтобы увидеть ошибки',
    uz: '{name} fayli virusga tekshirildi, lekin buyurtmalarining hammasi ham yuklanmadi. Xatolarni ko‘rish uchun uni qayta yuklang',
    en: 'The file {name} passed the virus scan, but not all of its orders were imported. Upload it again to see the errors',
  },
  upload_infected: {
    ru: 'Файл {name} заражён ({signature}). Он удалён и не отправлен в Telegram',
    uz: '{name} faylida virus bor ({signature}). U o‘chirildi va Telegramga yuborilmadi',
    en: 'The file {name} is infected ({signature}). It was removed and not sent to Telegram',
  },
  withdrawal_approved: {
    ru: 'Выплата {amount} {currency} одобрена',
    uz: '{amount} {currency} to‘lov tasdiqlandi',
    en: 'The withdrawal of {amount} {currency} is approved',
  },
  withdrawal_paid: {
    ru: 'Выплата {amount} {currency} отправлена {day}',
    uz: '{amount} {currency} to‘lov {day} kuni yuborildi',
    en: 'The withdrawal of {amount} {currency} was paid on {day}',
  },
  withdrawal_declined: {
    ru: 'Выплата {amount} {currency} отклонена: {reason}',
    uz: '{amount} {currency} to‘lov rad etildi: {reason}',
    en: 'The withdrawal of {amount} {currency} is declined: {reason}',
  },
  withdrawal_declined_without_reason: {
    ru: 'Выплата {amount} {currency} отклонена',
    uz: '{amount} {currency} to‘lov rad etildi',
    en: 'The withdrawal of {amount} {currency} is declined',
  },
  act: {
    ru: 'Пришёл акт {number} от {day}. Посылок: {parcels}, к выплате: {amount} {currency}',
    uz: '{day} sanali {number} dalolatnoma keldi. Jo‘natmalar: {parcels}, to‘lanadi: {amount} {currency}',
    en: 'Settlement act {number} of {day} has arrived. Parcels: {parcels}, due: {amount} {currency}',
  },
  missing_money: {
    ru: 'Доставлено и не оплачено курьером дольше {count} дн. Посылок: {parcels}, сумма: {amount} {currency}',
    uz: 'Yetkazilgan, lekin kuryer {count} kundan beri to‘lamagan. Jo‘natmalar: {parcels}, summa: {amount} {currency}',
    en: {
      one: 'Delivered and not paid by the courier for more than {count} day. Parcels: {parcels}, amount: {amount} {currency}',
      other:
        'Delivered and not paid by the courier for more than {count} days. Parcels: {parcels}, amount: {amount} {currency}',
    },
  },
  digest: {
    ru: 'Итоги за {day}\nЛиды: {leads, number}\nПродано: {sold, number}\nДоход: {amount}{unit}',
    uz: '{day} yakunlari\nLidlar: {leads, number}\nSotildi: {sold, number}\nDaromad: {amount}{unit}',
    en: 'Results of {day}\nLeads: {leads, number}\nSold: {sold, number}\nProfit: {amount}{unit}',
  },
  digest_of_days: {
    ru: 'Итоги за {from} – {day}\nЛиды: {leads, number}\nПродано: {sold, number}\nДоход: {amount}{unit}',
    uz: '{from} – {day} yakunlari\nLidlar: {leads, number}\nSotildi: {sold, number}\nDaromad: {amount}{unit}',
    en: 'Results of {from} – {day}\nLeads: {leads, number}\nSold: {sold, number}\nProfit: {amount}{unit}',
  },
  account_email: accountChange(
    'в вашей учётной записи изменён email',
    'hisobingizda email o‘zgartirildi',
    'the email of your account was changed',
  ),
  account_password: accountChange(
    'в вашей учётной записи изменён пароль',
    'hisobingizda parol o‘zgartirildi',
    'the password of your account was changed',
  ),
  account_second_factor_on: accountChange(
    'для вашей учётной записи включён второй фактор',
    'hisobingiz uchun ikkinchi omil yoqildi',
    'the second factor of your account was turned on',
  ),
  account_second_factor_off: accountChange(
    'для вашей учётной записи отключён второй фактор',
    'hisobingiz uchun ikkinchi omil o‘chirildi',
    'the second factor of your account was turned off',
  ),
  account_telegram_linked: accountChange(
    'ваша учётная запись связана с другим чатом',
    'hisobingiz boshqa chatga ulandi',
    'your account was linked to another chat',
  ),
  account_telegram_unlinked: accountChange(
    'этот чат больше не связан с вашей учётной записью',
    'bu chat endi hisobingizga ulanmagan',
    'this chat is no longer linked to your account',
  ),
} as const satisfies Record<string, Text>

export type NoticeMessage = keyof typeof noticeTexts
export type NoticeParams = Readonly<Record<string, string | number | null>>

/** The text of a notice in a language. Amounts are decimal texts, days are yyyy-mm-dd. */
export function formatNotice(message: string, params: NoticeParams, language: PersonLanguage): string {
  const id =
    message === 'withdrawal_declined' && params.reason === null ? `${message}_without_reason` : message
  const text: Text | undefined = Object.hasOwn(noticeTexts, id) ? noticeTexts[id as NoticeMessage] : undefined
  if (text === undefined) throw new Error(`No text for the notice ${message}`)
  const format = (name: string, value: string): string => {
    if (name === 'amount') return formatLocalAmount(value, language)
    if (name === 'unit') return value === '' ? '' : ` ${value}`
    return name === 'day' || name === 'from' ? formatLocalDay(value, language) : value
  }
  const formattedParams = Object.entries(params).flatMap(([name, value]): [string, string | number][] => {
    if (value === null) return []
    return [[name, typeof value === 'number' ? value : format(name, value)]]
  })
  // A digest that an earlier version queued has no unit.
  return fillText(text, language, { unit: '', ...Object.fromEntries(formattedParams) })
}
