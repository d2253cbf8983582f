import { panelTexts, russianPanelTexts } from './list-tools.panel.texts.ts'

/** The texts of the panels in the language of the screen. */
export const getPanelTexts = (isRussian: boolean): typeof panelTexts =>
  isRussian ? russianPanelTexts : panelTexts
