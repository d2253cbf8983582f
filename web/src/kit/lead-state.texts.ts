import type { ReportColumn } from '@karvon/contract/kit/report-columns.ts'

/** The reports' columns that a lead's state counts in, in the reports' order. The wire's `cancel` is shown as Rejected. */
export const leadStates: Readonly<Record<ReportColumn, string>> = {
  accepted: 'Accepted',
  cancel: 'Rejected',
  recall: 'Recall',
  send: 'Sent',
  sold: 'Sold',
  returned: 'Returned',
  hold: 'Hold',
}

/** A lead whose word stands for no status yet. */
export const unmappedState = 'Unmapped'
