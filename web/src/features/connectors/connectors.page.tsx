import { connectors } from '@karvon/contract/connectors/connectors.ts'
import type { Received } from '@karvon/contract/lib/received.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { anyTexts } from '../../resources/list-filters.texts.ts'
import { resourcePage } from '../../resources/resource-page.tsx'
import { formatValue } from '../../resources/resource-fields.ts'
import classes from './connectors.module.css'
import { connectorTexts as texts } from './connectors.texts.ts'

type BuiltInProps = Received<{ code: string; name: string }> & { description?: unknown }

/** The descriptions of CPA networks, as data. */
export const ConnectorsPage = resourcePage(connectors, {
  filters: { is_builtin: anyTexts.origin },
  width: 760,
  fields: { description: { rows: 18, hint: texts.hint } },
  view: (row) => (row.is_builtin ? <BuiltIn {...row} /> : null),
})

function BuiltIn({ code, name, description }: BuiltInProps) {
  return (
    <>
      <p className={classes.note}>{texts.builtIn}</p>
      <Facts
        facts={[
          { name: texts.code, value: <span className="mono">{code}</span> },
          { name: texts.name, value: name },
        ]}
      />
      {/* It scrolls, so the keyboard must reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={`${classes.json} mono`} role="region" aria-label={texts.description} tabIndex={0}>
        {formatValue(description)}
      </pre>
    </>
  )
}
