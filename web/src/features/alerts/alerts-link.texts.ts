import { defineMessages } from '../../lib/i18n/messages.ts'

/** Apart from the other texts, because the link is on every page. */
export const alertsLinkTexts = defineMessages('alertsLink', {
  label: 'Alerts',
  unread: 'Alerts, unread: {count, number}',
})
