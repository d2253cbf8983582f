import { Type, type Static } from 'typebox'

/** The closed set of error codes and the HTTP status that each travels with. */
export const problemStatus = {
  malformed: 400,
  unauthenticated: 401,
  second_factor_required: 401,
  second_factor_wrong: 401,
  forbidden: 403,
  second_factor_setup_required: 403,
  not_found: 404,
  switched_off: 404,
  method_not_allowed: 405,
  conflict: 409,
  in_use: 409,
  duplicate: 409,
  last_admin: 409,
  in_progress: 409,
  already_done: 409,
  gone: 410,
  too_large: 413,
  address_too_long: 414,
  unsupported_type: 415,
  invalid: 422,
  key_reused: 422,
  quota_exceeded: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof problemStatus

export const FieldProblem = Type.Object({ field: Type.String(), message: Type.String() })
export type FieldProblem = Static<typeof FieldProblem>

/** The body of every error. `detail` is one sentence for a person. `errors` names the fields with errors. */
export const Problem = Type.Object({
  detail: Type.String(),
  code: Type.String(),
  errors: Type.Optional(Type.Array(FieldProblem)),
})
export type Problem = Static<typeof Problem>

/** The error of a required field that is empty (specification, section 5). */
export const requiredText = (label: string): string => `${label} is required`
