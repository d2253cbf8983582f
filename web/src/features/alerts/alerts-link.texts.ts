import { defineMessages } from '../../lib/i18n/messages.ts'

/** In a file of their own, because the link is on every page. */
export const alertsLinkTexts = defineMessages('alertsLink', {
  label: 'Alerts',
  unread: 'Alerts, unread: {count, number}',
})
