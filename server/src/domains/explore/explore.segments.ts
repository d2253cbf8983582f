import { isMoneyFigure } from '@karvon/contract/explore/explore.metrics.ts'
import { textDimensions } from '@karvon/contract/lib/lead-texts.ts'
import type { Db } from '../../platform/database/pool.ts'
import { isSpanColumn, type SegmentColumn } from '../segments/segments.columns.ts'
import { readSlices, type StreamScope } from '../segments/segments.slices.queries.ts'
import { chooseSpans } from '../segments/segments.spans.ts'
import { columnOf, KeyAxis, maxSlots } from './explore.axes.ts'
import { readMasks } from './explore.masks.ts'
import type { TopLimit, SumRow } from './explore.queries.ts'
import { isTime } from './explore.keys.ts'
import { listUsedDimensions, type Question, type QuestionPeriod } from './explore.question.ts'
import { readInPasses } from './explore.passes.ts'
import { SegmentScan, SumTooLargeError, type PeriodPlan } from './explore.scan.ts'
import { readLastId } from './explore.queries.ts'
import { TextCodes, readChangedDays } from './explore.changed.ts'
import { listSpans, planDays, type PlannedDay } from './explore.segments.queries.ts'

/**
 * Reads all sums of a question from segments, and those of changed days from their leads. Null if too much changed or does not
 * fit; then the leads have the answer.
 */
export async function readSegmentSums(
  trx: Db,
  question: Question,
  topLimits: readonly TopLimit[],
): Promise<SumRow[] | null> {
  const columns = listColumns(question)
  if (!(await canBeSlots(trx, columns))) return null
  const days: PlannedDay[] = []
  const plans: PeriodPlan[] = []
  for (const period of question.periods) {
    const plannedDays = await planDays(trx, { question, period, columns })
    days.push(...plannedDays)
    plans.push(await chooseSources(trx, plannedDays, { question, period, columns }))
  }
  const changedDays = [...new Set(plans.flatMap(({ changedDays: changed }) => changed.map(({ day }) => day)))]
  const texts = await TextCodes.open(trx)
  const scope = findStreams(question)
  const changedLeads = await readChangedDays(trx, changedDays, { columns, texts, scope })
  if (changedLeads === null) return null
  const axes: KeyAxis[] = []
  for (const [at, name] of question.dimensions.entries())
    axes.push(await KeyAxis.open(trx, name, { at: at === 0 ? 0 : 1, days, texts }))
  if (axes.some(({ size }) => size > maxSlots)) return null
  if (textDimensions.some((dimension) => texts.count(dimension) > maxSlots)) return null
  try {
    const scan = new SegmentScan(trx, {
      question,
      plans,
      changedLeads,
      columns,
      masks: await readMasks(trx, question, texts),
      slices: scope === null ? null : await readSlices(trx, scope),
    })
    return await readInPasses(scan, { trx, question, axes, topLimits })
  } catch (error) {
    if (error instanceof SumTooLargeError) return null
    throw error
  }
}

/** A question that needs neither times nor texts reads the longest spans, and segments or leads of the other days. */
async function chooseSources(
  trx: Db,
  days: readonly PlannedDay[],
  {
    question,
    period,
    columns,
  }: { question: Question; period: QuestionPeriod; columns: readonly SegmentColumn[] },
): Promise<PeriodPlan> {
  const canReadSpans = columns.every(isSpanColumn) && !listUsedDimensions(question).some(isTime)
  const chosenSources = chooseSpans(days, canReadSpans ? await listSpans(trx, period) : [])
  const [changedDays = [], unchangedDays = []] = [true, false].map((isChanged) =>
    chosenSources.days.filter((day) => day.is_changed === isChanged),
  )
  return { days: unchangedDays, changedDays, spans: chosenSources.spans }
}

/** The streams of all leads that count; null: any, or leads without a stream. */
function findStreams({ filters, viewer }: Question): StreamScope | null {
  // Leads without a stream or a buyer are in many slices.
  const readIds = (values: readonly (number | string)[] | undefined) =>
    values === undefined || values.includes(0) ? [] : [values.map(Number)]
  const owners = [...(viewer === null ? [] : [[viewer.userId]]), ...readIds(filters.buyer)]
  const [streams] = readIds(filters.stream)
  return owners.length === 0 && streams === undefined ? null : { owners, streams }
}

function listColumns(question: Question): SegmentColumn[] {
  const columns = new Set<SegmentColumn>()
  for (const name of listUsedDimensions(question)) {
    const column = columnOf(name)
    if (column !== null) columns.add(column)
  }
  if (question.viewer !== null) columns.add('stream').add('source')
  if (question.figures.length > 1) columns.add('status')
  if (question.figures.some(isMoneyFigure)) columns.add('payout')
  return [...columns]
}

/** Whether all ids of these columns are small enough to be slots. The codes of texts always are. */
async function canBeSlots(trx: Db, columns: readonly SegmentColumn[]): Promise<boolean> {
  for (const column of ['source', 'offer', 'stream', 'status'] as const)
    if (columns.includes(column) && (await readLastId(trx, column)) >= maxSlots) return false
  return true
}
