import { defineMessages } from '../../lib/i18n/messages.ts'

/** Why a stored file was not sent at once, by the codes of the server. */
export const delayTexts = defineMessages('parcels.upload.delays', {
  scan_pending: 'файл ждёт проверки на вирусы, прочитаем и отправим после неё',
  telegram_missing: 'отправка в Telegram не настроена',
  no_time_left: 'не хватило времени, отправим позже',
  telegram_pause: 'Telegram просит подождать {seconds} с, отправим позже',
  telegram_refusal: 'Telegram не принимает файлы, сообщите администратору',
  telegram_silent: 'Telegram не отвечает, отправим позже',
})
