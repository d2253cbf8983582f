/**
 * The parts of a Markdown page that can be checked, each with its line (from 1): links and pictures with their
 * targets, anchors of the headings, inline code, and every line of text or code.
 */
export function readPage(text) {
  const page = { links: [], pictures: [], code: [], lines: [], anchors: new Set(), newPaths: [] }
  const anchorCounts = new Map()
  let fence = null
  for (const [index, line] of text.split('\n').entries()) {
    const at = index + 1
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && (fence === null || line.trim() === fence)) {
      fence = fence === null ? mark : null
      continue
    }
    page.lines.push({ at, text: line })
    if (fence === null) readLine(page, line, at, anchorCounts)
  }
  return page
}

function readLine(page, line, at, anchorCounts) {
  const declaration = /<!--\s*new:\s*(.+?)\s*-->/.exec(line)
  if (declaration) page.newPaths.push(...declaration[1].split(/[\s,]+/))
  for (const [, code] of line.matchAll(/`([^`]+)`/g)) page.code.push({ at, text: code })
  const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)
  if (heading) page.anchors.add(createAnchor(heading[1], anchorCounts))
  const plain = line.replace(/`[^`]*`/g, '')
  for (const [, id] of plain.matchAll(/<a\s[^>]*(?:id|name)="([^"]+)"/g)) page.anchors.add(id)
  for (const [, bang, target] of plain.matchAll(/(!?)\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g))
    page[bang ? 'pictures' : 'links'].push({ at, target })
  // A picture that is itself a link: [![text](picture)](target)
  for (const [, target] of plain.matchAll(/\]\([^)]*\)\]\(([^)\s]+)\)/g)) page.links.push({ at, target })
  for (const [, target] of plain.matchAll(/^\s*\[[^\]]+\]:\s+(\S+)/g)) page.links.push({ at, target })
  for (const [, target] of plain.matchAll(/<a\s[^>]*href="([^"]+)"/g)) page.links.push({ at, target })
  for (const [, target] of plain.matchAll(/<(?:img|source)\s[^>]*src(?:set)?="([^"\s]+)/g))
    page.pictures.push({ at, target })
}

/** The anchor of a heading, as on GitHub. The second anchor of the same name ends in -1. */
function createAnchor(heading, anchorCounts) {
  const base = heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replace(/ /g, '-')
  const count = anchorCounts.get(base) ?? 0
  anchorCounts.set(base, count + 1)
  return count === 0 ? base : `${base}-${count}`
}
