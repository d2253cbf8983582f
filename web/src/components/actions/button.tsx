import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useUiTexts } from '../texts.ts'
import classes from './button.module.css'

export type ButtonTone = 'plain' | 'primary' | 'danger' | 'ghost'

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  tone?: ButtonTone
  /** Disables the button and shows a spinner with `loadingText`. */
  loading?: boolean
  /** Default 'Loading...'. */
  loadingText?: string
  icon?: ReactNode
  full?: boolean
  children: ReactNode
  ref?: React.Ref<HTMLButtonElement>
}

export function Button(props: ButtonProps) {
  const {
    tone = 'plain',
    loading,
    loadingText,
    icon,
    full,
    children,
    className,
    disabled,
    type,
    ...rest
  } = props
  const texts = useUiTexts()
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={className ? `${classes.button} ${className}` : classes.button}
      data-tone={tone}
      data-full={full || undefined}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
    >
      {loading ? <Spinner /> : icon}
      {loading ? (loadingText ?? texts.loading) : children}
    </button>
  )
}

/** A rotating ring. It is decorative, so the label must name the running action. */
function Spinner() {
  return <span className={classes.spinner} aria-hidden="true" />
}
