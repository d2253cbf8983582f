/** The columns of the reports that a lead's state counts in: the fixed codes of the built-in status types. */
export const reportColumns = ['accepted', 'cancel', 'recall', 'send', 'sold', 'returned', 'hold'] as const
export type ReportColumn = (typeof reportColumns)[number]
