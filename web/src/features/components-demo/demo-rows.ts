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
  weight: number
  price: number
}

const people = ['Азиза Юсупова', 'Жасур Рахимов', 'ООО «Нурафшон Трейд»', 'Malika Toʻxtayeva', 'Бобур Алимов']
const towns = ['Ташкент', 'Самарканд', 'Бухара', 'Андижан', 'Qoʻqon']
const states: [string, Tone][] = [
  ['В пути', 'info'],
  ['Доставлен', 'ok'],
  ['Получен складом', 'work'],
  ['Новый', 'wait'],
  ['Возвращён', 'bad'],
  ['Черновик', 'neutral'],
]

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** Rows that look like real data and never change. */
export const demoRows: readonly DemoRow[] = Array.from({ length: 420 }, (_, index) => {
  const [status, tone] = pick(states, index)
  return {
    id: String(index + 1),
    orderno: `EX-${204871 - index * 7}`,
    barcode: `478001234${5671 - index * 7}`,
    status,
    tone,
    time: `${String(21 - (index % 20)).padStart(2, '0')}.11 ${String(8 + (index % 11)).padStart(2, '0')}:42`,
    person: pick(people, index),
    phone: `+998 90 123-${String(10 + (index % 89))}-67`,
    town: pick(towns, index * 3),
    weight: ((index * 7) % 125) / 10,
    price: 38_000 + ((index * 7_500) % 90_000),
  }
})
