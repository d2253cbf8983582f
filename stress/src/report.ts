import os from 'node:os'
import type { Extent, PartResult, Part } from './part.ts'

/** Formats the result of a part: its promise, figures and failures. */
export function formatSection(
  part: Part,
  extent: Extent,
  { figures, failures }: PartResult,
  seconds: number,
): string {
  const rows = Object.entries({ ...figures, 'total seconds': Math.round(seconds) })
  const outcome = failures.length === 0 ? 'Kept.' : `Broken:\n\n${formatList(failures)}`
  return [
    `# ${part.name}`,
    part.description,
    formatTable(rows),
    `${extent === 'long' ? 'Long run' : 'Short run'}. ${outcome}`,
    `${os.cpus()[0]?.model.trim() ?? 'processor'} x ${os.cpus().length}, Node ${process.versions.node}.`,
    '',
  ].join('\n\n')
}

const maxListed = 20
const formatList = (failures: readonly string[]) =>
  [
    ...failures.slice(0, maxListed),
    ...(failures.length > maxListed ? [`and ${failures.length - maxListed} more`] : []),
  ]
    .map((failure) => `- ${failure}`)
    .join('\n')

function formatTable(rows: [string, number | string][]): string {
  const cells = rows.map(([name, value]) => [
    name,
    typeof value === 'number' ? value.toLocaleString('en') : value,
  ])
  return ['| figure | value |', '| --- | --- |', ...cells.map((row) => `| ${row.join(' | ')} |`)].join('\n')
}
