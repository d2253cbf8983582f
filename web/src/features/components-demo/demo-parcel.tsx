import { Facts, Timeline } from '../../components/display/timeline.tsx'
import { demoParcelTexts as texts } from './demo-parcel.texts.ts'

const events = [
  { key: '4', title: texts.courier, note: '21.11.2026 09:42 · Ташкент' },
  { key: '3', title: texts.sent, note: '20.11.2026 22:10 · Самарканд' },
  { key: '2', title: texts.taken, note: '20.11.2026 14:05 · Самарканд' },
  { key: '1', title: texts.fresh, note: '20.11.2026 11:31' },
]

/** The facts and the history of a parcel. */
export function DemoParcel() {
  return (
    <>
      <Facts
        facts={[
          { name: texts.receiver, value: 'Азиза Юсупова' },
          { name: texts.address, value: 'Ташкент, Чиланзар 9, дом 14' },
          { name: texts.delivery, value: '38 000 сум' },
        ]}
      />
      <Timeline label={texts.history} events={events} />
    </>
  )
}
