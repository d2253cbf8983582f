import { valueFault } from '@karvon/contract/lib/field-messages.ts'
import { maxLine, maxParcelItems, maxText } from '@karvon/contract/lib/limits.ts'
import type { ParcelItem } from '@karvon/contract/parcels/parcels.ts'
import {
  createTextParser,
  parseDecimal,
  type CellResult,
} from '../../platform/spreadsheets/spreadsheets.values.ts'

/** The items as JSON text for their column; null for no items. */
export const formatItems = (items: readonly ParcelItem[]): string | null =>
  items.length === 0 ? null : JSON.stringify(items)

/**
 * Parses the items in a cell to JSON text: names, each with `× 2` or `* 2` behind it for more than one piece. Semicolons
 * or line breaks separate them.
 */
export function parseItemList(text: string): CellResult<string> {
  if (text.length > maxText) return { fault: valueFault('longer_than', { max: maxText }) }
  const parts = text.split(/[;\r\n]/).flatMap((part) => part.trim() || [])
  if (parts.length === 0) return { fault: valueFault('required') }
  if (parts.length > maxParcelItems) return { fault: valueFault('too_many_entries', { max: maxParcelItems }) }
  const items: ParcelItem[] = []
  for (const part of parts) {
    const { value, fault } = parseItem(part)
    if (fault !== undefined) return { fault }
    items.push(value)
  }
  return { value: JSON.stringify(items) }
}

const parseName = createTextParser(maxLine)

function parseItem(text: string): CellResult<ParcelItem> {
  const at = Math.max(text.lastIndexOf('×'), text.lastIndexOf('*'))
  const pieces = text.slice(at + 1).trim()
  const hasPieces = at > 0 && /^\d+$/.test(pieces)
  const name = parseName(hasPieces ? text.slice(0, at).trim() : text)
  if (name.fault !== undefined) return name
  const quantity = parseDecimal(hasPieces ? pieces : '1', 0, 9)
  if (quantity.fault !== undefined) return quantity
  return {
    value: {
      name: name.value,
      code: null,
      article: null,
      barcode: null,
      quantity: Number(quantity.value),
      weight: null,
      price: null,
    },
  }
}
