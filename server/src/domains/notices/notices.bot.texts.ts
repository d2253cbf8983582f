import type { Text } from '../../platform/texts/texts.ts'

/** The commands of the bot's menu, in this order, with what they do. */
export const botCommands = {
  today: {
    ru: 'лиды и заработок за сегодня',
    uz: 'bugungi lidlar va daromad',
    en: 'leads and earnings of today',
  },
  balance: { ru: 'баланс', uz: 'balans', en: 'balance' },
  find: {
    ru: 'статус посылки по номеру заказа',
    uz: 'buyurtma raqami bo‘yicha jo‘natma holati',
    en: 'status of a parcel by its order number',
  },
  mute: {
    ru: 'отключить уведомления на время',
    uz: 'bildirishnomalarni vaqtincha o‘chirish',
    en: 'turn notices off for a time',
  },
  language: { ru: 'язык', uz: 'til', en: 'language' },
  stop: { ru: 'отвязать этот чат', uz: 'bu chatni uzish', en: 'unlink this chat' },
  help: { ru: 'список команд', uz: 'buyruqlar ro‘yxati', en: 'list of commands' },
} as const satisfies Record<string, Text>

/** The times for which notices can be turned off. The person can send these words. */
export const muteWords = {
  hour: { ru: '1 час', uz: '1 soat', en: '1 hour' },
  tomorrow: { ru: 'до завтра', uz: 'ertagacha', en: 'until tomorrow' },
  always: { ru: 'всегда', uz: 'doim', en: 'always' },
  off: { ru: 'включить', uz: 'yoqish', en: 'off' },
} as const satisfies Record<string, Text>

/** The languages by their own names. The person can send these words. */
export const languageNames = { ru: 'Русский', uz: 'O‘zbekcha', en: 'English' } as const

export const statusNames: Readonly<Record<string, Text>> = {
  PENDING: { ru: 'Ожидает', uz: 'Kutilmoqda', en: 'Pending' },
  PROCESSING: { ru: 'В обработке', uz: 'Ishlanmoqda', en: 'Processing' },
  IN_TRANSIT: { ru: 'В пути', uz: 'Yo‘lda', en: 'In transit' },
  DELIVERED: { ru: 'Доставлен', uz: 'Yetkazildi', en: 'Delivered' },
  RETURNED: { ru: 'Возврат', uz: 'Qaytarildi', en: 'Returned' },
}

export const botTexts = {
  howToLink: {
    ru: 'Отправьте код из профиля Karvon, чтобы получать уведомления. Отключить: /stop',
    uz: 'Bildirishnomalar olish uchun Karvon profilidagi kodni yuboring. O‘chirish: /stop',
    en: 'Send the code from your Karvon profile to get notices. To turn them off: /stop',
  },
  linked: {
    ru: 'Уведомления включены: {name}. Отключить: /stop',
    uz: 'Bildirishnomalar yoqildi: {name}. O‘chirish: /stop',
    en: 'Notices are on: {name}. To turn them off: /stop',
  },
  codeInvalid: {
    ru: 'Код не подходит или устарел. Получите новый код в профиле.',
    uz: 'Kod noto‘g‘ri yoki eskirgan. Profilda yangi kod oling.',
    en: 'The code is wrong or expired. Get a new code in your profile.',
  },
  stopped: {
    ru: 'Уведомления отключены. Чтобы включить их снова, получите новый код в профиле.',
    uz: 'Bildirishnomalar o‘chirildi. Ularni yana yoqish uchun profilda yangi kod oling.',
    en: 'Notices are off. To turn them on again, get a new code in your profile.',
  },
  notLinked: {
    ru: 'Уведомления не были включены.',
    uz: 'Bildirishnomalar yoqilmagan edi.',
    en: 'Notices were not on.',
  },
  secondFactor: {
    ru: 'Сначала включите второй фактор в профиле Karvon.',
    uz: 'Avval Karvon profilida ikkinchi omilni yoqing.',
    en: 'First set up the second factor in your Karvon profile.',
  },
  failed: {
    ru: 'Сейчас ответить не удалось. Повторите позже.',
    uz: 'Hozir javob berib bo‘lmadi. Keyinroq takrorlang.',
    en: 'There is no answer now. Please try again later.',
  },
  help: { ru: 'Команды:', uz: 'Buyruqlar:', en: 'Commands:' },
  today: {
    ru: 'Сегодня к {time}, в скобках вчера к этому времени\nЛиды: {leads, number} ({leads_before, number})\nПодтверждено: {approved, number} ({approved_before, number})',
    uz: 'Bugun soat {time} holatiga, qavs ichida kecha shu vaqtda\nLidlar: {leads, number} ({leads_before, number})\nTasdiqlangan: {approved, number} ({approved_before, number})',
    en: 'Today by {time}, in brackets yesterday by this time\nLeads: {leads, number} ({leads_before, number})\nApproved: {approved, number} ({approved_before, number})',
  },
  earned: {
    ru: 'Заработано, {currency}: {amount} ({before})',
    uz: 'Ishlab topilgan, {currency}: {amount} ({before})',
    en: 'Earned, {currency}: {amount} ({before})',
  },
  balance: {
    ru: 'Баланс, {currency}\nДоступно: {available}\nВ холде: {on_hold}\nЗапрошено: {requested}',
    uz: 'Balans, {currency}\nMavjud: {available}\nXoldda: {on_hold}\nSo‘ralgan: {requested}',
    en: 'Balance, {currency}\nAvailable: {available}\nOn hold: {on_hold}\nRequested: {requested}',
  },
  findWhat: {
    ru: 'Напишите номер заказа после команды: /find 12345',
    uz: 'Buyruqdan keyin buyurtma raqamini yozing: /find 12345',
    en: 'Write the order number after the command: /find 12345',
  },
  found: {
    ru: 'Посылка {orderno}\n{status}, {time}',
    uz: '{orderno} jo‘natmasi\n{status}, {time}',
    en: 'Parcel {orderno}\n{status}, {time}',
  },
  notFound: {
    ru: 'Такой посылки нет.',
    uz: 'Bunday jo‘natma yo‘q.',
    en: 'There is no such parcel.',
  },
  muteWhat: {
    ru: 'На какое время отключить уведомления? О безопасности учётной записи бот пишет всегда.',
    uz: 'Bildirishnomalar qancha vaqtga o‘chirilsin? Hisob xavfsizligi haqida bot har doim yozadi.',
    en: 'For how long are notices turned off? The bot always writes about the security of your account.',
  },
  mutedUntil: {
    ru: 'Уведомления отключены до {time}. Включить: /mute off',
    uz: 'Bildirishnomalar {time} gacha o‘chirildi. Yoqish: /mute off',
    en: 'Notices are off until {time}. To turn them on: /mute off',
  },
  muted: {
    ru: 'Уведомления отключены. Включить: /mute off',
    uz: 'Bildirishnomalar o‘chirildi. Yoqish: /mute off',
    en: 'Notices are off. To turn them on: /mute off',
  },
  unmuted: {
    ru: 'Уведомления включены.',
    uz: 'Bildirishnomalar yoqildi.',
    en: 'Notices are on.',
  },
  languageWhat: { ru: 'Выберите язык.', uz: 'Tilni tanlang.', en: 'Choose a language.' },
  languageSet: {
    ru: 'Бот и письма теперь на русском языке.',
    uz: 'Bot va xatlar endi o‘zbek tilida.',
    en: 'The bot and mails are in English now.',
  },
} as const satisfies Record<string, Text>
