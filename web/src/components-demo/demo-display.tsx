import { useState } from 'react'
import { Logo } from '../ui/actions/brand.tsx'
import { Button } from '../ui/actions/button.tsx'
import { IconButton } from '../ui/actions/icon-button.tsx'
import * as icons from '../ui/actions/icons.tsx'
import { Menu } from '../ui/actions/menu.tsx'
import { Badge } from '../ui/display/badge.tsx'
import { Card } from '../ui/display/card.tsx'
import { EmptyState, ErrorState } from '../ui/display/empty-state.tsx'
import { KpiRow } from '../ui/display/kpi.tsx'
import { Toolbar } from '../ui/display/layout.tsx'
import { Skeleton } from '../ui/display/skeleton.tsx'
import { Tabs } from '../ui/display/tabs.tsx'
import { Facts, Timeline } from '../ui/display/timeline.tsx'
import { ThemeToggle } from '../ui/theme/theme-toggle.tsx'
import classes from './demo.module.css'

const tabs = [
  { value: 'daily', label: 'Daily' },
  { value: 'offers', label: 'Offers' },
  { value: 'streams', label: 'Streams' },
]

const figures = [
  { label: 'Leads', value: '3 874', change: '+8.4%', good: true },
  { label: 'Approve rate', value: '58.1%', change: '+1.2', good: true },
  { label: 'Buyout rate', value: '84.3%', change: '−0.6', good: false },
  { label: 'Hold', value: '7 214 500' },
  { label: 'Profit, UZS', value: undefined },
]

const events = [
  { key: '4', title: 'Выдан курьеру на доставку', note: '21.11.2026 09:42 · Ташкент' },
  { key: '3', title: 'Отправлено со склада', note: '20.11.2026 22:10 · Самарканд' },
  { key: '2', title: 'Получен складом', note: '20.11.2026 14:05 · Самарканд' },
  { key: '1', title: 'Новый', note: '20.11.2026 11:31' },
]

export function DemoButtons() {
  const [busy, setBusy] = useState(false)
  return (
    <>
      <Toolbar>
        <Button tone="primary" icon={<icons.UploadIcon />}>
          Загрузить
        </Button>
        <Button>Отмена</Button>
        <Button tone="danger" icon={<icons.TrashIcon />}>
          Delete
        </Button>
        <Button tone="ghost">Show all</Button>
        <Button disabled>Disabled</Button>
        <Button tone="primary" loading={busy} onClick={() => setBusy(true)}>
          Submit
        </Button>
        <Button tone="primary" loading>
          Submit
        </Button>
        <IconButton label="Menu">
          <icons.MenuIcon />
        </IconButton>
        <ThemeToggle />
        <Menu
          label="Profile"
          head={<strong>Dilnoza Karimova</strong>}
          items={[
            { label: 'Profile', icon: <icons.UserIcon />, href: '#profile' },
            { label: 'Sign out', icon: <icons.SignOutIcon />, tone: 'danger' },
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
  return (
    <>
      <Toolbar>
        <Badge tone="ok">Доставлен</Badge>
        <Badge tone="info">В пути</Badge>
        <Badge tone="work">В обработке</Badge>
        <Badge tone="wait">Ожидает</Badge>
        <Badge tone="bad">Возврат</Badge>
        <Badge>Черновик</Badge>
      </Toolbar>
      <KpiRow label="Totals" items={figures} />
      <Tabs label="Statistics" tabs={tabs} value={tab} onChange={setTab}>
        <p>The panel of “{tab}”.</p>
      </Tabs>
      <div className={classes.grid}>
        <Card title="EX-204871" aside={<Badge tone="info">В пути</Badge>}>
          <Facts
            facts={[
              { name: 'Получатель', value: 'Азиза Юсупова' },
              { name: 'Адрес', value: 'Ташкент, Чиланзар 9, дом 14' },
              { name: 'Доставка', value: '38 000 сум' },
            ]}
          />
          <Timeline label="История статусов" events={events} />
        </Card>
        <Card>
          <EmptyState text="Посылки не найдены по вашим критериям." />
        </Card>
        <Card>
          <ErrorState
            failure={{
              message: 'Failed to load streams. Please try again.',
              reason: 'The database is away.',
            }}
            onRetry={() => undefined}
          />
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
