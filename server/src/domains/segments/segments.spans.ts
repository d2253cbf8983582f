/** Lengths of spans in days. A span starts at a multiple of its length from day 0, so each one has eight of the next shorter ones. */
const leadSpanLengths = [8, 64, 512] as const
const lengthRatio = 8

/** A day with leads. `number` counts from day 0. */
export interface SegmentDay {
  readonly day: string
  readonly number: number
  /** The number of its segments, and the sum of their builds. */
  readonly segments: number
  readonly builds: number
  /** Whether its segments do not have all of its leads. */
  readonly is_changed: boolean
}

/** A stored span, with the number and the builds of the segments that it was built from. */
export interface Span {
  readonly day: string
  readonly number: number
  readonly days: number
  readonly segments: number
  readonly builds: number
}

/**
 * The longest spans that do not overlap and are exactly their days, and the days that are in none of them. `days` are all days
 * with leads of a period, `spans` those inside of the period, both in any order.
 */
export function chooseSpans<Day extends SegmentDay, Chosen extends Span>(
  days: readonly Day[],
  spans: readonly Chosen[],
): { spans: Chosen[]; days: Day[] } {
  const remainingDays = new Map(days.map((day) => [day.number, day]))
  const choices: Chosen[] = []
  for (const span of spans.toSorted((a, b) => b.days - a.days)) {
    const spanDays: Day[] = []
    for (let number = span.number; number < span.number + span.days; number += 1) {
      const day = remainingDays.get(number)
      if (day !== undefined) spanDays.push(day)
    }
    if (!isBuiltFrom(span, spanDays)) continue
    choices.push(span)
    for (const { number } of spanDays) remainingDays.delete(number)
  }
  return { spans: choices.toSorted((a, b) => a.number - b.number), days: [...remainingDays.values()] }
}

/** A segment that is built again has a larger build than before. So other segments have another number or another sum. */
function isBuiltFrom(span: Span, days: readonly SegmentDay[]): boolean {
  const sum = (getNumber: (day: SegmentDay) => number) =>
    days.reduce((total, day) => total + getNumber(day), 0)
  return (
    days.every((day) => !day.is_changed) &&
    sum((day) => day.segments) === span.segments &&
    sum((day) => day.builds) === span.builds
  )
}

/** A day or a stored span that a longer span can be built from. */
export interface SpanSource extends Pick<Span, 'day' | 'number' | 'segments' | 'builds'> {
  /** Its leads, or its groups of leads. */
  readonly entries: number
  /** A bound for the sum of its payouts without their signs, in hundredths. */
  readonly largest_sum: number
}
export interface SourceDay extends SegmentDay, SpanSource {
  /** Whether its segments are old enough. */
  readonly is_quiet: boolean
}
export interface SourceSpan extends Span, SpanSource {}

/** A span that is to be built from the segments of days or from shorter spans. */
export interface SpanPlan extends Omit<SourceSpan, 'day'> {
  readonly sources: { readonly days: readonly SourceDay[]; readonly spans: readonly SourceSpan[] }
}

/** A span without its contents. */
export const spanKey = ({ days, number }: Pick<Span, 'days' | 'number'>): string => `${days} ${number}`

/** Leads or groups that a span is built from. More would take too much memory and time. */
const maxEntries = 1_000_000

/**
 * The next span to build, the shortest first; undefined without one. Its days have not changed for a while, and the next shorter
 * spans of its days are built. `excludedKeys` has the keys of spans that are not planned.
 */
export function planSpan(
  days: readonly SourceDay[],
  spans: readonly SourceSpan[],
  excludedKeys: ReadonlySet<string>,
): SpanPlan | undefined {
  for (const length of leadSpanLengths) {
    const daysByStart = Map.groupBy(days, ({ number }) => Math.floor(number / length) * length)
    const storedSpans = Map.groupBy(spans, ({ days: spanLength, number }) =>
      spanKey({ days: spanLength, number: Math.floor(number / length) * length }),
    )
    for (const [number, spanDays] of daysByStart) {
      if (excludedKeys.has(spanKey({ days: length, number }))) continue
      if (!spanDays.every((day) => day.is_quiet && !day.is_changed)) continue
      if (chooseSpans(spanDays, storedSpans.get(spanKey({ days: length, number })) ?? []).spans.length > 0)
        continue
      const sources = chooseSpans(
        spanDays,
        storedSpans.get(spanKey({ days: length / lengthRatio, number })) ?? [],
      )
      if (length > lengthRatio && sources.days.length > 0) continue
      const parts: SpanSource[] = [...sources.days, ...sources.spans]
      const sum = (getNumber: (part: SpanSource) => number) =>
        parts.reduce((total, part) => total + getNumber(part), 0)
      const [entries, largestSum] = [sum((part) => part.entries), sum((part) => part.largest_sum)]
      if (entries > maxEntries || largestSum > Number.MAX_SAFE_INTEGER) continue
      const buildSums = { segments: sum((part) => part.segments), builds: sum((part) => part.builds) }
      return { number, days: length, ...buildSums, entries, largest_sum: largestSum, sources }
    }
  }
  return undefined
}
