import { useState } from 'react'
import { DateRange } from '../../components/date-range/date-range.tsx'
import type { DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'
import { Checkbox } from '../../components/fields/checkbox.tsx'
import { FileField } from '../../components/fields/file-field.tsx'
import { MultiSelect } from '../../components/fields/multi-select.tsx'
import { MoneyField, NumberField } from '../../components/fields/number-field.tsx'
import { PasswordField } from '../../components/fields/password-field.tsx'
import type { Option } from '../../components/fields/options.ts'
import { RadioGroup } from '../../components/fields/radio-group.tsx'
import { Select } from '../../components/fields/select.tsx'
import { TextArea } from '../../components/fields/text-area.tsx'
import { TextField } from '../../components/fields/text-field.tsx'
import classes from './demo.module.css'
import { demoTexts } from './demo.texts.ts'

const { fields } = demoTexts

const sources: Option[] = [
  '100k.uz',
  'sotuvchi.com',
  'Olcha',
  'Asaxiy',
  'Uzum',
  'Texnomart',
  'Mediapark',
].map((label, index) => ({ value: String(index + 1), label, disabled: label === 'Uzum' }))
// The page is close to the size limit of a first visit, so these options load with the first search.
const searchMany = async (query: string) => (await import('./demo-tasks.ts')).searchStreams(query)

/** Every field, empty, filled, wrong and disabled. */
export function DemoFields({ today }: { today: string }) {
  const [text, setText] = useState('Smart soat X9')
  const [password, setPassword] = useState('')
  const [money, setMoney] = useState('1290000.5')
  const [number, setNumber] = useState('')
  const [note, setNote] = useState('')
  const [source, setSource] = useState('')
  const [stream, setStream] = useState('')
  const [choices, setChoices] = useState<string[]>(['1', '2'])
  const [isOn, setIsOn] = useState(true)
  const [radio, setRadio] = useState('1')
  const [file, setFile] = useState<File | null>(null)
  const [period, setPeriod] = useState<DateRangeValue | null>(null)
  const [boundedPeriod, setBoundedPeriod] = useState<DateRangeValue | null>({
    start: '2026-11-03',
    end: '2026-11-12',
  })

  return (
    <div className={classes.grid}>
      <TextField label={fields.name} required value={text} onChange={setText} hint={fields.asOnParcel} />
      <TextField label={fields.username} value="aziz" onChange={setText} error={fields.taken} />
      <TextField label={fields.extraId} value="" onChange={setText} disabled />
      <PasswordField
        label={fields.password}
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
      />
      <MoneyField label={fields.price} required value={money} onChange={setMoney} />
      <NumberField label={fields.quantity} value={number} onChange={setNumber} />
      <Select label={fields.source} required options={sources} value={source} onChange={setSource} />
      <Select
        label={fields.store}
        emptyOption={fields.allStores}
        options={sources}
        value={source}
        onChange={setSource}
      />
      <Select label={fields.stream} options={[]} onSearch={searchMany} value={stream} onChange={setStream} />
      <Select label={fields.offer} options={sources} value="" onChange={setSource} invalid />
      <Select label={fields.status} options={sources} value="99" onChange={setSource} />
      <Select label={fields.type} options={sources} value="2" onChange={setSource} disabled />
      <MultiSelect label={fields.sources} options={sources} value={choices} onChange={setChoices} />
      <MultiSelect
        label={fields.streams}
        options={[]}
        onSearch={searchMany}
        value={[]}
        onChange={() => undefined}
        invalid
      />
      <DateRange label={fields.period} value={period} onChange={setPeriod} today={today} clearable />
      <DateRange
        label={fields.bounded}
        value={boundedPeriod}
        onChange={setBoundedPeriod}
        today={today}
        min="2026-11-01"
        max="2026-11-25"
      />
      <div className={classes.stack}>
        <Checkbox label={fields.active} checked={isOn} onChange={setIsOn} />
        <Checkbox label={fields.some} checked={false} indeterminate onChange={setIsOn} />
        <Checkbox label={fields.disabled} checked disabled onChange={setIsOn} />
        <Checkbox
          label={fields.terms}
          required
          checked={false}
          onChange={setIsOn}
          error={fields.termsRequired}
        />
      </div>
      <RadioGroup label={fields.connector} options={sources.slice(0, 4)} value={radio} onChange={setRadio} />
      <TextArea label={fields.comment} value={note} onChange={setNote} placeholder={fields.note} />
      <FileField
        label={fields.file}
        value={file}
        onChange={setFile}
        accept={['pdf', 'xlsx', 'xls', 'doc', 'docx']}
      />
    </div>
  )
}
