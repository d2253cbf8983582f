/** The columns of the reports that a lead's state counts in: the fixed codes of the built-in status types. */
export const reportColumns = ['accepted', 'cancel', 'recall', 'send', 'sold', 'returned', 'hold'] as const
export type ReportColumn = (typeof reportColumns)[number]

/** What people read for each column; the wire's `cancel` is shown as Rejected. */
export const reportColumnNames = {
  accepted: 'Accepted',
  cancel: 'Rejected',
  recall: 'Recall',
  send: 'Sent',
  sold: 'Sold',
  returned: 'Returned',
  hold: 'Hold',
} as const satisfies Record<ReportColumn, string>
