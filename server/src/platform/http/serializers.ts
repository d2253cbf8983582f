import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Build = ReturnType<typeof SerializerSelector>
type Serializer = ReturnType<ReturnType<Build>>

/** By the text of the schema. GET and HEAD share one, and all apps of a process share them. */
const cache = new Map<string, Serializer>()

/** Builds Fastify's serializers, each once: this is most of the work of a start. */
export const buildSerializer: Build = (...args) => {
  const compile = SerializerSelector()(...args)
  return (route) => {
    const key = JSON.stringify(route.schema)
    const serializer = cache.get(key) ?? compile(route)
    cache.set(key, serializer)
    return serializer
  }
}
