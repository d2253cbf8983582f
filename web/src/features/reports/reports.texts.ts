import { reportColumnNames } from '@karvon/contract/lib/report-columns.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

export const reportTexts = defineMessages('reports', {
  failed: {
    daily: 'Failed to load daily statistics. Please try again later.',
    offers: 'Failed to load offers statistics. Please try again later.',
    streams: 'Failed to load streams statistics. Please try again later.',
    money: 'Failed to load money statistics. Please try again later.',
  },
  tables: {
    daily: 'Statistics by day',
    offers: 'Statistics by offer',
    streams: 'Statistics by stream',
    money: 'Money by source',
  },
  date: 'Date',
  name: 'Name',
  figures: {
    leads: 'Leads',
    ...reportColumnNames,
    hold_amount: 'Hold amount',
    approve_rate: 'Approve',
    buyout_rate: 'Buyout',
    profit: 'Profit',
  },
  money: {
    profit: 'Our profit',
    network_balance: 'Network’s balance',
    balance_difference: 'Balance difference',
    hold_amount: 'Our hold',
    network_hold: 'Network’s hold',
    hold_difference: 'Hold difference',
    network_time: 'Network’s time',
    time: 'Our time',
  },
  total: 'Total',
  totals: 'Totals',
  source: 'Source',
  allSources: 'All sources',
  search: 'Search',
  kpi: {
    leads: 'Leads',
    approve: 'Approve rate',
    buyout: 'Buyout rate',
    hold: 'Hold, {currency}',
    profit: 'Profit, {currency}',
  },
  chart: {
    sold: 'Sold',
    sent: 'Accepted and sent',
    waiting: 'Hold and recall',
    lost: 'Rejected and returned',
    profit: 'Profit',
    names: { offers: 'offers', streams: 'streams' },
    alternative:
      'Leads by day and state, and profit: {days} days from {from} to {to}, {leads} leads, of which {sold} sold. The table below holds the same figures.',
    topAlternative:
      'The {what} with the most leads, each by state: {count} {what}, first {first} with {most} leads; together {leads} leads, of which {sold} sold. The table below holds the same figures.',
  },
})
