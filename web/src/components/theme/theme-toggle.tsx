import { IconButton } from '../actions/icon-button.tsx'
import { MoonIcon, SunIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import { useTheme } from './theme.store.ts'

/** Switches between the light and the dark theme. */
export function ThemeToggle({ className }: { className?: string }) {
  const { theme, toggle } = useTheme()
  const texts = useUiTexts()
  return (
    <IconButton
      className={className}
      label={theme === 'dark' ? texts.toLight : texts.toDark}
      onClick={toggle}
    >
      {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
    </IconButton>
  )
}
