import os from 'node:os'
import type { Extent, Outcome, Part } from './part.ts'

/** A part's page: what it promises, its figures, and what broke. */
export function section(part: Part, extent: Extent, { figures, faults }: Outcome, seconds: number): string {
  const rows = Object.entries({ ...figures, 'seconds in all': Math.round(seconds) })
  const verdict = faults.length === 0 ? 'Held.' : `Broken:\n\n${listed(faults)}`
  return [
    `# ${part.name}`,
    part.about,
    table(rows),
    `${extent === 'long' ? 'The whole run' : 'The short form'}. ${verdict}`,
    `${os.cpus()[0]?.model.trim() ?? 'processor'} x ${os.cpus().length}, Node ${process.versions.node}.`,
    '',
  ].join('\n\n')
}

const shown = 20
const listed = (faults: readonly string[]) =>
  [...faults.slice(0, shown), ...(faults.length > shown ? [`and ${faults.length - shown} more`] : [])]
    .map((fault) => `- ${fault}`)
    .join('\n')

function table(rows: [string, number | string][]): string {
  const texts = rows.map(([name, value]) => [
    name,
    typeof value === 'number' ? value.toLocaleString('en') : value,
  ])
  return ['| figure | value |', '| --- | --- |', ...texts.map((row) => `| ${row.join(' | ')} |`)].join('\n')
}
