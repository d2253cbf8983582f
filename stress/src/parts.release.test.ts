import { callPromiseParts } from './parts.ts'
import { testShortForms } from './short-forms.ts'

testShortForms(callPromiseParts)
