import { Link } from '@tanstack/react-router'
import type { Postback, PostbackOutcome } from '@karvon/contract/postbacks/postbacks.ts'
import { Badge, type Tone } from '../../components/display/badge.tsx'
import type { Column } from '../../components/table/column.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { Short } from '../../components/short.tsx'
import { postbackTexts as texts } from './postbacks.texts.ts'
import { canReplay, ReplayButton } from './replay-button.tsx'

const tones: Readonly<Record<PostbackOutcome, Tone>> = {
  created: 'ok',
  updated: 'info',
  unchanged: 'neutral',
  refused: 'bad',
}

export function OutcomeBadge({ of }: { of: PostbackOutcome }) {
  return <Badge tone={tones[of]}>{texts.outcomes[of]}</Badge>
}

export const reasonText = ({ reason }: Postback): string =>
  reason === null ? texts.none : texts.reasons[reason]

export function LeadLink({ id }: { id: number }) {
  return (
    <Link to="/leads" search={{ id: String(id) }}>
      {texts.lead}
    </Link>
  )
}

/** The columns of the log; times in the installation's `zone`. */
export function postbackColumns(zone: string): Column<Postback>[] {
  const { columns, none } = texts
  return [
    {
      key: 'at',
      header: columns.at,
      cell: (row) => formatMoment(row.at, zone),
      sortable: true,
      nowrap: true,
    },
    { key: 'source', header: columns.source, cell: (row) => row.source?.name ?? none, phone: 'line' },
    {
      key: 'external_id',
      header: columns.external_id,
      cell: (row) => (row.external_id === null ? none : <Short text={row.external_id} />),
      phone: 'line',
    },
    { key: 'word', header: columns.word, cell: (row) => row.word ?? none, phone: 'line' },
    {
      key: 'outcome',
      header: columns.outcome,
      cell: (row) => <OutcomeBadge of={row.outcome} />,
      nowrap: true,
      phone: 'line',
    },
    { key: 'reason', header: columns.reason, cell: reasonText, phone: 'line' },
    {
      key: 'lead',
      header: columns.lead,
      cell: (row) => (row.lead_id === null ? none : <LeadLink id={row.lead_id} />),
      nowrap: true,
      phone: 'line',
    },
    {
      key: 'replay',
      header: columns.replay,
      cell: (row) => (canReplay(row) ? <ReplayButton of={row} inRow /> : none),
      nowrap: true,
      phone: 'line',
    },
  ]
}
