import { defineMessages } from '../../lib/i18n/messages.ts'

export const demoTaskTexts = defineMessages('demoTasks', {
  working: 'Exporting {file}',
  done: '{part} of 3 MB',
  cancel: 'Cancel',
  saveFailed: 'Failed to save offer. Please try again.',
  refused: 'Failed to save offer.',
  taken: 'This name is taken',
  muvaffaqiyat: 'Muvaffaqiyat',
  xatolik: 'Xatolik',
  uploaded: 'Файл успешно загружен и отправлен в Telegram',
  uploadFailed: 'Ошибка при загрузке файла',
  confirmed: 'Confirmed',
  dismissed: 'Dismissed',
  sure: 'Are you sure you want to delete this offer?',
  removeFailed: 'Failed to delete offer. Please try again.',
  inUse: 'It is used by 3 streams.',
  saved: 'Offer saved successfully.',
  long: 'A long text',
  line: 'Line {number} of a long text',
  close: 'Done',
  silent: 'The server did not answer',
})
