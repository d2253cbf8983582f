import { defineMessages } from '../lib/i18n/messages.ts'

/** The texts inside of the finder. On Russian screens it is in Russian while no language is picked. */
export const finderTexts = defineMessages('finder', {
  placeholder: 'A page, an order number, a barcode, a receiver',
  empty: 'No options found',
  failed: 'The search failed, so results may be missing.',
  russian: {
    placeholder: 'Страница, номер заказа, штрихкод, получатель',
    empty: 'Ничего не найдено',
    failed: 'Поиск не удался, поэтому части результатов может не быть.',
  },
})
