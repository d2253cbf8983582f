import { Type, type Static } from 'typebox'

/** The values of a message's parameters. */
const Params = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))

/** A sentence for a person. `code` is a key of `fieldMessages` or of `errorMessages`, `params` has its parameters. */
export const Reason = Type.Object({
  message: Type.String(),
  code: Type.String(),
  params: Type.Optional(Params),
})
export type Reason = Static<typeof Reason>

/** A field with an error. */
export const FieldProblem = Type.Object({ field: Type.String(), ...Reason.properties })
export type FieldProblem = Static<typeof FieldProblem>

/**
 * The body of every error. `detail` is one sentence for a person. `code` is a key of `errorMessages`, `params` has the
 * parameters of its message. `errors` names the fields with errors.
 */
export const Problem = Type.Object({
  detail: Type.String(),
  code: Type.String(),
  params: Type.Optional(Params),
  errors: Type.Optional(Type.Array(FieldProblem)),
})
export type Problem = Static<typeof Problem>
