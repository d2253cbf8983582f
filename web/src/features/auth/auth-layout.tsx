import { useEffect, type ReactNode } from 'react'
import { Logo, TileOrnament } from '../../components/actions/brand.tsx'
import { PageLink } from '../../components/actions/page-link.tsx'
import { LanguagePicker } from '../../lib/i18n/language-picker.tsx'
import { defaultTexts, UiTextsContext } from '../../components/texts.ts'
import { ThemeToggle } from '../../components/theme/theme-toggle.tsx'
import classes from './auth-layout.module.css'
import { authTexts as texts } from './auth.texts.ts'

type AuthLayoutProps = { title: string; subtitle?: string; children: ReactNode }

const widgetTexts = { ...defaultTexts, ...texts.widgets }

/** The frame of the screens before sign-in: logo, title, content, theme toggle and links. */
export function AuthLayout({ title, subtitle, children }: AuthLayoutProps) {
  useEffect(() => {
    document.title = `${title} – ${texts.brand}`
  }, [title])
  return (
    <div className={classes.screen}>
      <header className={classes.hero}>
        <TileOrnament className={classes.tile ?? ''} />
        <Logo onDark />
        <div className={classes.words}>
          <p className={classes.slogan}>{texts.heroTitle}</p>
          <p className={classes.about}>{texts.heroText}</p>
        </div>
      </header>
      <main className={classes.main}>
        <div className={classes.corner}>
          <LanguagePicker label={texts.language} />
          <ThemeToggle />
        </div>
        <div className={classes.box}>
          <div className={classes.logo}>
            <Logo />
          </div>
          <h1 className={classes.title}>{title}</h1>
          {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
          <UiTextsContext value={widgetTexts}>{children}</UiTextsContext>
          <nav aria-label={texts.linksLabel} className={classes.links}>
            <PageLink to="/login">{texts.links.login}</PageLink>
            <PageLink to="/register">{texts.links.register}</PageLink>
            <PageLink to="/forgot-password">{texts.links.forgot}</PageLink>
          </nav>
        </div>
      </main>
    </div>
  )
}
