import type { ButtonHTMLAttributes, ReactNode } from 'react'
import classes from './icon-button.module.css'

export type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> & {
  /** The action in words: the accessible name and the tooltip. */
  label: string
  children: ReactNode
  ref?: React.Ref<HTMLButtonElement>
}

export function IconButton({ label, className, type, children, ...rest }: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type={type ?? 'button'}
      aria-label={label}
      className={className ? `${classes.icon} ${className}` : classes.icon}
    >
      {children}
    </button>
  )
}
