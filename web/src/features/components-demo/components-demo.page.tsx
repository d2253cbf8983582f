import type { ReactNode } from 'react'
import { Card } from '../../components/display/card.tsx'
import { PageBody, PageHeader } from '../../components/display/layout.tsx'
import { Form } from '../../components/form/form.tsx'
import { demoFields, DemoDialogs, demoSave } from './demo-dialogs.tsx'
import { DemoButtons, DemoDisplay } from './demo-display.tsx'
import { DemoFields } from './demo-fields.tsx'
import { DemoTable } from './demo-table.tsx'
import classes from './demo.module.css'
import { demoTexts } from './demo.texts.ts'

const { sections } = demoTexts

// A fixed day, so that the page looks the same on every day.
const today = '2026-11-21'

/** All components in all their states, as a reference for developers. */
export function ComponentsDemoPage() {
  return (
    <PageBody>
      <Section title={sections.buttons}>
        <DemoButtons />
      </Section>
      <Section title={sections.table}>
        <DemoTable />
      </Section>
      <Section title={sections.fields}>
        <Card>
          <DemoFields today={today} />
        </Card>
      </Section>
      <Section title={sections.form}>
        <Card>
          <Form fields={demoFields} onSubmit={demoSave} />
        </Card>
      </Section>
      <Section title={sections.dialogs}>
        <DemoDialogs />
      </Section>
      <Section title={sections.display}>
        <DemoDisplay />
      </Section>
    </PageBody>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <PageHeader title={title} />
      {children}
    </section>
  )
}
