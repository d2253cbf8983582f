import classes from './brand.module.css'

/** The hexagon with the K. It is decorative, so put the name beside it. */
export function LogoMark({ size = 38 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 40 40"
      width={size}
      height={size}
      fill="none"
      strokeWidth={2.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={classes.mark}
    >
      <path d="M20 4l14 8v16l-14 8-14-8V12z" stroke="#2fb3bf" />
      <path d="M14 12v16M14 20l11-8M14 20l11 8" stroke="#fff" />
    </svg>
  )
}

/** The logo with its name. `onDark` is for a dark background. */
export function Logo({ onDark = false }: { onDark?: boolean }) {
  return (
    <span className={classes.logo} data-on-dark={onDark || undefined}>
      <span className={classes.plate}>
        <LogoMark />
      </span>
      Karvon Express
    </span>
  )
}

/** The rotated squares of a Samarkand tile, for the corner of a hero. */
export function TileOrnament({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 200 200" fill="none" stroke="currentColor" aria-hidden="true" className={className}>
      {[0, 22.5, 45, 67.5].map((turn) => (
        <g key={turn} transform={`rotate(${turn} 100 100)`}>
          <rect x="30" y="30" width="140" height="140" />
          <rect x="55" y="55" width="90" height="90" />
          <rect x="78" y="78" width="44" height="44" />
        </g>
      ))}
      <circle cx="100" cy="100" r="99" />
      <circle cx="100" cy="100" r="64" />
    </svg>
  )
}
