// Audits one page in the Chromium behind a debugging port, and writes its scores from 0 to 100 as JSON.
// node main.mjs <port> <url>
import lighthouse from 'lighthouse'

const [port, url] = process.argv.slice(2)
const categories = ['performance', 'accessibility', 'best-practices']
const { lhr } = await lighthouse(url, {
  port: Number(port),
  logLevel: 'error',
  onlyCategories: categories,
  // The session is in the storage. The profile is new, so the cache is empty.
  disableStorageReset: true,
})
if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message)
// Lighthouse takes a redirect as the page.
if (new URL(lhr.finalDisplayedUrl).pathname !== new URL(url).pathname)
  throw new Error(`${url} led to ${lhr.finalDisplayedUrl}`)
const lostAudits = Object.values(lhr.categories).flatMap(({ auditRefs }) =>
  auditRefs
    .filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9)
    .map(({ id }) => `${id} ${lhr.audits[id].displayValue ?? ''}`.trim()),
)
const scores = categories.map((id) => Math.round((lhr.categories[id].score ?? 0) * 100))
console.log(JSON.stringify({ scores, lost: lostAudits }))
