import { panelTexts, russianPanelTexts } from './list-tools.panel.texts.ts'
import { russianScheduleTexts, scheduleTexts } from './view-schedule.texts.ts'

export type ScheduleTexts = typeof scheduleTexts

/** The texts of the panels in the language of the screen. */
export const getPanelTexts = (isRussian: boolean): typeof panelTexts =>
  isRussian ? russianPanelTexts : panelTexts

/** The texts of schedules in the language of the screen. */
export const getScheduleTexts = (isRussian: boolean): ScheduleTexts =>
  isRussian ? russianScheduleTexts : scheduleTexts
