import { httpTexts } from '../http.texts.ts'
import { language, languages, pickLanguage } from './language.ts'
import classes from './language-picker.module.css'

async function changeLanguage(picker: HTMLSelectElement): Promise<void> {
  picker.setCustomValidity('')
  await pickLanguage(picker.value).catch(() => {
    picker.value = language
    picker.setCustomValidity(httpTexts.unreachable)
    picker.reportValidity()
  })
}

/** A select of languages, for screens without a profile menu. */
export function LanguagePicker({ label, className = '' }: { label: string; className?: string }) {
  return (
    <select
      aria-label={label}
      value={language}
      onChange={({ currentTarget }) => void changeLanguage(currentTarget)}
      className={`${classes.picker} ${className}`}
    >
      {Object.entries(languages).map(([value, name]) => (
        <option key={value} value={value} lang={value || 'ru'}>
          {name}
        </option>
      ))}
    </select>
  )
}
