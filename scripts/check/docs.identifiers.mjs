import { readFileSync } from 'node:fs'
import path from 'node:path'

/** One name in snake_case or camelCase, as this project writes them: `status_source`, `ingestLeads`, `ingestLeads()`. */
const identifier = /^([a-z][a-z\d]*(?:_[a-z\d]+)+|[a-z][a-z\d]*(?:[A-Z][a-z\d]*)+)(?:\(.*\))?$/

/** Names of other products, and of examples. */
const outsideNames = new Set([
  'archive_timeout',
  'autoFocus',
  'client_max_body_size',
  'keepalive_timeout',
  'proxy_http_version',
  'proxy_max_temp_file_size',
  'proxy_read_timeout',
  'startTransition',
  'table_column_fkey',
  'table_columns_key',
  'useDeferredValue',
])
const isOutside = (name) => name.startsWith('pg_') || outsideNames.has(name)

/** The changelog is not checked: it names what was removed. */
const isChecked = (file, page) =>
  file !== 'CHANGELOG.md' && !page.lines.some(({ text }) => /superseded by/i.test(text))

const isCode = (file) => /\.(?:[cm]?[jt]sx?|jsonc?|sql|ya?ml|cfg|conf|service|css|html)$/.test(file)

/** Identifiers that a page names and no code contains. */
export function identifierProblems({ root, files, pages }) {
  const words = new Set(
    files.filter(isCode).flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(/\w+/g) ?? []),
  )
  return [...pages]
    .filter(([file, page]) => isChecked(file, page))
    .flatMap(([file, page]) =>
      page.code
        .map(({ at, text }) => ({ at, name: identifier.exec(text)?.[1] }))
        .filter(({ name }) => name !== undefined && !words.has(name) && !isOutside(name))
        .map(
          ({ at, name }) =>
            `${file}:${at}: no code contains ${name}. Correct the name. Add a name of another product to scripts/check/docs.identifiers.mjs.`,
        ),
    )
}
