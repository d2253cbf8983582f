import type { ScheduleBody } from '@karvon/contract/saved-views/saved-views.schedule-body.ts'
import {
  scheduleChannels,
  type ScheduleChannel,
  type ViewSchedule,
} from '@karvon/contract/saved-views/saved-views.schedule.ts'
import { createOptions } from '../../components/fields/options.ts'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import type { ScheduleTexts } from './panel-texts.ts'

/** The two kinds of days that a schedule repeats on. */
const repeats = ['weekdays', 'month_days'] as const
type Repeat = (typeof repeats)[number]

const monthDayOptions = Array.from({ length: 31 }, (_, index) => String(index + 1)).map((day) => ({
  value: day,
  label: day,
}))

const createDays = (
  name: Repeat,
  { label, options }: { label: string; options: NonNullable<FormField['options']> },
): FormField => ({
  name,
  label,
  kind: 'multiselect',
  required: true,
  isShown: ({ repeat }) => repeat === name,
  options,
})

/** Reads `9:30`, `09.30` or `0930` as HH:MM of 24 hours. Null for another text. */
function readTime(value: FormValues[string] | undefined): string | null {
  const [, hour, minute] = /^([01]?\d|2[0-3])[:.]?([0-5]\d)$/.exec(readFieldText(value)) ?? []
  return hour === undefined ? null : `${hour.padStart(2, '0')}:${minute}`
}

interface FieldOptions {
  readonly channels: readonly ScheduleChannel[]
  readonly zone: string
  /** Whether the person may send to the roles of the view. */
  readonly hasRoles: boolean
  readonly texts: ScheduleTexts
}

export const createScheduleFields = ({ channels, zone, hasRoles, texts }: FieldOptions): FormField[] => [
  {
    name: 'channel',
    label: texts.channel,
    kind: 'radio',
    required: true,
    options: createOptions(channels, texts.channels),
  },
  {
    name: 'repeat',
    label: texts.repeat,
    kind: 'radio',
    options: createOptions(repeats, texts.days),
  },
  createDays('weekdays', {
    label: texts.days.weekdays,
    options: Object.entries(texts.weekdays).map(([value, label]) => ({ value, label })),
  }),
  {
    ...createDays('month_days', { label: texts.days.month_days, options: monthDayOptions }),
    hint: texts.shortMonth,
  },
  {
    name: 'time',
    label: texts.time,
    kind: 'text',
    required: true,
    hint: texts.timeHint({ zone }),
    validate: (value) => (readTime(value) === null ? texts.invalidTime : null),
  },
  ...(hasRoles
    ? [
        {
          name: 'includes_roles',
          label: texts.includesRoles,
          kind: 'checkbox',
          hint: texts.rolesHint,
        } as const,
      ]
    : []),
  { name: 'is_active', label: texts.isActive, kind: 'checkbox' },
]

/** The values of the form: those of a schedule, or of a new one on Mondays. */
export function getScheduleValues(
  schedule: ViewSchedule | null,
  [firstChannel]: readonly ScheduleChannel[],
): FormValues {
  const toTexts = (days: readonly number[] | null | undefined) => days?.map(String) ?? []
  return {
    channel: schedule?.channel ?? firstChannel ?? '',
    repeat: schedule?.month_days ? 'month_days' : 'weekdays',
    weekdays: schedule === null ? ['1'] : toTexts(schedule.weekdays),
    month_days: toTexts(schedule?.month_days),
    time: schedule?.time ?? '09:00',
    includes_roles: schedule?.includes_roles ?? false,
    is_active: schedule?.is_active ?? true,
  }
}

/** The schedule of valid values. */
export function readScheduleBody(values: FormValues): ScheduleBody {
  const channel = readChannel(values) ?? scheduleChannels[0]
  const readDays = (name: Repeat) => {
    const days = values[name]
    return values.repeat === name && Array.isArray(days) ? days.map(Number) : null
  }
  return {
    channel,
    time: readTime(values.time) ?? '',
    weekdays: readDays('weekdays'),
    month_days: readDays('month_days'),
    includes_roles: values.includes_roles === true,
    is_active: values.is_active === true,
  }
}

export const readChannel = ({ channel }: FormValues): ScheduleChannel | undefined =>
  scheduleChannels.find((scheduleChannel) => scheduleChannel === channel)
