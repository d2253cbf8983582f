import type { Tone } from '../../components/display/badge.tsx'

/** A row of the demo's table. */
export type DemoRow = {
  id: string
  orderno: string
  barcode: string
  status: string
  tone: Tone
  time: string
  person: string
  phone: string
  town: string
  price: number
}

const people = ['Азиза Юсупова', 'ООО «Нурафшон Трейд»', 'Malika Toʻxtayeva']
const towns = ['Ташкент', 'Самарканд', 'Qoʻqon']
const states: [string, Tone][] = [
  ['В пути', 'info'],
  ['Доставлен', 'ok'],
  ['Новый', 'wait'],
  ['Возвращён', 'bad'],
]

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** Rows that look like real data and never change. */
export const demoRows: readonly DemoRow[] = Array.from({ length: 420 }, (_, index) => {
  const [status, tone] = pick(states, index)
  return {
    id: String(index + 1),
    orderno: `EX-${204871 - index * 7}`,
    barcode: '4780012345671',
    status,
    tone,
    time: '21.11 08:42',
    person: pick(people, index),
    phone: '+998 90 123-45-67',
    town: pick(towns, index * 2),
    price: 38_000 + ((index * 7_500) % 90_000),
  }
})
