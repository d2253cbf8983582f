import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Build = ReturnType<typeof SerializerSelector>
type Serializer = ReturnType<ReturnType<Build>>

/** By the text of their schema: GET and HEAD share theirs, and so does every app of a process. */
const made = new Map<string, Serializer>()

/** Fastify's own serializers, each made once: making them is most of the work of a start. */
export const buildSerializer: Build = (...given) => {
  const compile = SerializerSelector()(...given)
  return (route) => {
    const key = JSON.stringify(route.schema)
    const known = made.get(key) ?? compile(route)
    made.set(key, known)
    return known
  }
}
