import { Facts, Timeline } from '../../components/display/timeline.tsx'
import { demoTexts } from './demo.texts.ts'

const { display } = demoTexts

const events = [
  { key: '4', title: display.courier, note: '21.11.2026 09:42 · Ташкент' },
  { key: '3', title: display.sent, note: '20.11.2026 22:10 · Самарканд' },
  { key: '2', title: display.taken, note: '20.11.2026 14:05 · Самарканд' },
  { key: '1', title: display.fresh, note: '20.11.2026 11:31' },
]

/** The facts and the history of a parcel. */
export function DemoParcel() {
  return (
    <>
      <Facts
        facts={[
          { name: display.receiver, value: 'Азиза Юсупова' },
          { name: display.address, value: 'Ташкент, Чиланзар 9, дом 14' },
          { name: display.delivery, value: '38 000 сум' },
        ]}
      />
      <Timeline label={display.history} events={events} />
    </>
  )
}
