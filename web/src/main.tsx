import './components/theme.css'
import './components/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { loadSettings } from './lib/settings.query.ts'
import { loadFonts } from './components/fonts.ts'
import { loadLanguage } from './lib/i18n/language.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with id "root"')
const page = createRoot(root)
void loadSettings()
void Promise.all([loadLanguage(), loadFonts()]).then(([drawable]) => {
  if (!drawable) return
  page.render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
})
