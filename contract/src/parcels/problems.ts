import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { maxStillDays } from '../lib/limits.ts'
import { OneOf } from '../lib/schemas.ts'

/**
 * The problems of parcels, which a person has to handle: the receiver refused or postponed the delivery, no delivery was
 * agreed, the parcel is lost, or it has no new event for some days without a final status (`still`).
 */
export const parcelProblems = ['refused', 'postponed', 'not_agreed', 'lost', 'still'] as const
export const ParcelProblem = OneOf(parcelProblems)
export type ParcelProblem = (typeof parcelProblems)[number]

/** Days without a new event after which a parcel has the problem `still`, by default. */
export const stillAfterDays = 5

/** Days without a new event from which on a parcel has the problem `still`. */
export const stillDays = Type.Integer({
  minimum: 1,
  maximum: maxStillDays,
  description: 'Days without an event; 5 by default',
})

/** `any` counts each parcel once. */
const ProblemCounts = Type.Object({
  any: Type.Integer(),
  ...Object.fromEntries(parcelProblems.map((problem) => [problem, Type.Integer()])),
})
export type ProblemCounts = Record<'any' | ParcelProblem, number>

/** Apart from the other calls of parcels, because the sidebar of every page makes it. */
export const countProblems = call({
  id: 'parcels.problems',
  summary: 'Count your parcels with problems; for admins all parcels with problems',
  method: 'GET',
  path: '/api/parcel/parcels/problems',
  feature: 'parcel_problems',
  guard: 'person',
  query: Type.Object({ still_days: Type.Optional(stillDays) }),
  answer: ProblemCounts,
})
