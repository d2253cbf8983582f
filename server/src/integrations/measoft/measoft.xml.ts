import { AnswerError, parseAnswer } from '../../platform/outgoing-http/answers.ts'
import { CourierError } from './measoft.error.ts'

/** An element: its children by name, its attributes by name behind @, its own text under #text. */
export interface Element {
  [name: string]: string | Element | (string | Element)[]
}

/** Reads a whole, well-formed document. A document type is refused: nothing here needs entities of its own. */
export async function readXml(xml: string): Promise<Element> {
  try {
    return (await parseAnswer('xml', xml)) as Element
  } catch (error) {
    if (error instanceof AnswerError) throw new CourierError(`The answer of the courier ${error.message}`)
    throw error
  }
}

/** Children of a name, however many there are. */
export function list(of: Element, name: string): Element[] {
  const found = Object.hasOwn(of, name) ? of[name] : undefined
  const all = found === undefined ? [] : Array.isArray(found) ? found : [found]
  return all.map((each) => (typeof each === 'string' ? { '#text': each } : each))
}

/** The text of the first child of a name; null where there is none, or it is empty. */
export function text(of: Element, name: string): string | null {
  const own = list(of, name)[0]?.['#text']
  return typeof own === 'string' && own !== '' ? own : null
}

export function attribute(of: Element, name: string): string | null {
  const found = Object.hasOwn(of, `@${name}`) ? of[`@${name}`] : undefined
  return typeof found === 'string' ? found : null
}
