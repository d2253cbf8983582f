import { AnswerError, parseAnswer } from '../../platform/outgoing-http/answers.ts'
import { CourierError } from './measoft.error.ts'

/** An element: children by name, attributes by @name, and its text under #text. */
export interface Element {
  [name: string]: string | Element | (string | Element)[]
}

/** Parses a well-formed document. Throws {@link CourierError} for any other text and for a document type. */
export async function readXml(xml: string): Promise<Element> {
  try {
    return (await parseAnswer('xml', xml)) as Element
  } catch (error) {
    if (error instanceof AnswerError) throw new CourierError(error.reason)
    throw error
  }
}

/** All children with a name. */
export function getChildren(element: Element, name: string): Element[] {
  const value = Object.hasOwn(element, name) ? element[name] : undefined
  const children = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return children.map((child) => (typeof child === 'string' ? { '#text': child } : child))
}

/** The text of the first child with a name; null for a missing or empty one. The parser keeps the spaces in CDATA. */
export function getChildText(element: Element, name: string): string | null {
  const text = getChildren(element, name)[0]?.['#text']
  return typeof text === 'string' ? text.trim() || null : null
}

/** The text of an attribute; null for a missing or empty one. */
export const getAttributeText = (element: Element, name: string): string | null =>
  getAttribute(element, name)?.trim() || null

export function getAttribute(element: Element, name: string): string | null {
  const value = Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : undefined
  return typeof value === 'string' ? value : null
}
