import { httpTexts } from '../http.texts.ts'
import { language, languages, pickLanguage } from './language.ts'
import classes from './language-picker.module.css'

/** A select of languages, for screens without a profile menu. */
export function LanguagePicker({ label, className = '' }: { label: string; className?: string }) {
  return (
    <select
      aria-label={label}
      value={language}
      onChange={async ({ currentTarget }) => {
        currentTarget.setCustomValidity('')
        await pickLanguage(currentTarget.value).catch(() => {
          currentTarget.value = language
          currentTarget.setCustomValidity(httpTexts.unreachable)
          currentTarget.reportValidity()
        })
      }}
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
