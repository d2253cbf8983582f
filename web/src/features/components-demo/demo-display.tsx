import { lazy, useState } from 'react'
import { LazyPart } from '../../components/lazy-part.tsx'
import { Logo } from '../../components/actions/brand.tsx'
import { Button } from '../../components/actions/button.tsx'
import { IconButton } from '../../components/actions/icon-button.tsx'
import * as icons from '../../components/actions/icons.tsx'
import { Menu } from '../../components/actions/menu.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Card } from '../../components/display/card.tsx'
import { EmptyState, ErrorState } from '../../components/display/empty-state.tsx'
import { KpiRow } from '../../components/display/kpi.tsx'
import { Toolbar } from '../../components/display/layout.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Tabs } from '../../components/display/tabs.tsx'
import { ThemeToggle } from '../../components/theme/theme-toggle.tsx'
import classes from './demo.module.css'
import { demoTexts } from './demo.texts.ts'

const { buttons, display, table } = demoTexts

// The page is close to the size limit of a first visit, so the parcel loads when it is shown.
const DemoParcel = lazy(async () => ({ default: (await import('./demo-parcel.tsx')).DemoParcel }))

const tabs = [
  { value: 'daily', label: display.daily },
  { value: 'offers', label: display.offers },
  { value: 'streams', label: display.streams },
]

const figures = [
  { label: display.leads, value: '3 874', change: '+8.4%', isGood: true },
  { label: display.approve, value: '58.1%', change: '+1.2', isGood: true },
  { label: display.buyout, value: '84.3%', change: '−0.6', isGood: false },
  { label: display.hold, value: '7 214 500' },
  { label: display.profit, value: undefined },
]

export function DemoButtons() {
  const [busy, setBusy] = useState(false)
  return (
    <>
      <Toolbar>
        <Button tone="primary" icon={<icons.UploadIcon />}>
          {buttons.upload}
        </Button>
        <Button>{buttons.cancel}</Button>
        <Button tone="danger" icon={<icons.TrashIcon />}>
          {buttons.remove}
        </Button>
        <Button tone="ghost">{buttons.all}</Button>
        <Button disabled>{buttons.disabled}</Button>
        <Button tone="primary" loading={busy} onClick={() => setBusy(true)}>
          {buttons.submit}
        </Button>
        <Button tone="primary" loading>
          {buttons.submit}
        </Button>
        <IconButton label={buttons.menu}>
          <icons.MenuIcon />
        </IconButton>
        <ThemeToggle />
        <Menu
          label={buttons.profile}
          head={<strong>Dilnoza Karimova</strong>}
          items={[
            { label: buttons.profile, icon: <icons.UserIcon />, href: '#profile' },
            { label: buttons.signOut, icon: <icons.SignOutIcon />, tone: 'danger' },
          ]}
        >
          <span className={classes.avatar}>DK</span>
        </Menu>
        <Logo />
      </Toolbar>
      <div className={classes.icons}>
        {Object.entries(icons).map(([name, Icon]) => (
          <span key={name}>
            <Icon />
            {name.replace('Icon', '')}
          </span>
        ))}
      </div>
    </>
  )
}

export function DemoDisplay() {
  const [tab, setTab] = useState('daily')
  const [isParcelShown, setIsParcelShown] = useState(false)
  return (
    <>
      <Toolbar>
        <Badge tone="ok">{display.delivered}</Badge>
        <Badge tone="info">{display.moving}</Badge>
        <Badge tone="work">{display.processing}</Badge>
        <Badge tone="wait">{display.waiting}</Badge>
        <Badge tone="bad">{display.returned}</Badge>
        <Badge>{display.draft}</Badge>
      </Toolbar>
      <KpiRow label={display.totals} items={figures} />
      <Tabs label={display.statistics} tabs={tabs} value={tab} onChange={setTab}>
        <p>{display.panel({ tab })}</p>
      </Tabs>
      <div className={classes.grid}>
        <Card title="EX-204871" aside={<Badge tone="info">{display.moving}</Badge>}>
          {isParcelShown ? (
            <LazyPart>
              <DemoParcel />
            </LazyPart>
          ) : (
            <Button onClick={() => setIsParcelShown(true)}>{display.history}</Button>
          )}
        </Card>
        <Card>
          <EmptyState text={display.empty} />
        </Card>
        <Card>
          <ErrorState failure={{ message: table.failed, reason: table.reason }} onRetry={() => undefined} />
        </Card>
        <Card>
          <Skeleton width="40%" height={20} />
          <br />
          <Skeleton />
          <br />
          <Skeleton width="70%" />
        </Card>
      </div>
    </>
  )
}
