import { faultParts } from './parts.ts'
import { testShortForms } from './short-forms.ts'

testShortForms(faultParts)
