/** The report columns that count leads by status: the fixed codes of the built-in status types. */
export const reportColumns = ['accepted', 'cancel', 'recall', 'send', 'sold', 'returned', 'hold'] as const
export type ReportColumn = (typeof reportColumns)[number]

/** The report columns of leads whose source reports no further status as a rule. */
export const finalColumns = ['sold', 'returned', 'cancel'] as const satisfies readonly ReportColumn[]

/** The visible name of each column. The wire's `cancel` is shown as Rejected. */
export const reportColumnNames = {
  accepted: 'Accepted',
  cancel: 'Rejected',
  recall: 'Recall',
  send: 'Sent',
  sold: 'Sold',
  returned: 'Returned',
  hold: 'Hold',
} as const satisfies Record<ReportColumn, string>
