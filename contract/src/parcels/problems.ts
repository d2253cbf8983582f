import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { maxNoProgressDays } from '../lib/limits.ts'
import { OneOf } from '../lib/schemas.ts'

/**
 * The problems of parcels, which a person has to handle: the receiver refused or postponed the delivery, no delivery
 * was agreed, the parcel is lost, or it has no new event for some days without a final status (`no_progress`).
 */
export const parcelProblems = ['refused', 'postponed', 'not_agreed', 'lost', 'no_progress'] as const
export const ParcelProblem = OneOf(parcelProblems)
export type ParcelProblem = (typeof parcelProblems)[number]

/** Days without a new event after which a parcel has the problem `no_progress`, by default. */
export const defaultNoProgressDays = 5

/** Days without a new event from which on a parcel has the problem `no_progress`. */
export const noProgressDays = Type.Integer({
  minimum: 1,
  maximum: maxNoProgressDays,
  description: 'Days without an event; 5 by default',
})

/** `any` counts each parcel once. */
const ProblemCounts = Type.Object({
  any: Type.Integer(),
  ...Object.fromEntries(parcelProblems.map((problem) => [problem, Type.Integer()])),
})
export type ProblemCounts = Record<'any' | ParcelProblem, number>

/** This call has a file of its own, because the sidebar of every page makes it. */
export const countProblems = call({
  id: 'parcels.problems',
  summary: 'Count your parcels with problems; for admins all parcels with problems',
  method: 'GET',
  path: '/api/parcel/parcels/problems',
  feature: 'parcel_problems',
  guard: 'person',
  query: Type.Object({ no_progress_days: Type.Optional(noProgressDays) }),
  answer: ProblemCounts,
})
