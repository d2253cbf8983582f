import { useState } from 'react'
import { Form, type FormProps } from './form.tsx'
import { getInitialValues } from './form.rules.ts'
import { useLeaveQuestion } from './leave-question.ts'

type FormWithQuestionProps = FormProps & {
  /** The input may be lost, because it was submitted. */
  isSubmitted?: boolean
}

/** A form whose input is not kept: of passwords and files. A question comes before its page is left with input. */
export function FormWithQuestion({ children, isSubmitted = false, ...form }: FormWithQuestionProps) {
  const [startValues] = useState(() => getInitialValues(form.fields, form.initialValues))
  return (
    <Form {...form}>
      {(values) => (
        <>
          <LeaveQuestion
            isChanged={!isSubmitted && form.fields.some(({ name }) => values[name] !== startValues[name])}
          />
          {typeof children === 'function' ? children(values) : children}
        </>
      )}
    </Form>
  )
}

/** Draws nothing. */
function LeaveQuestion({ isChanged }: { isChanged: boolean }): null {
  useLeaveQuestion(isChanged)
  return null
}
