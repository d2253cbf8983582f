import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Build = ReturnType<typeof SerializerSelector>
type Serializer = ReturnType<ReturnType<Build>>

/** Serializers by the text of their schema, for all apps of a process. */
const cache = new Map<string, Serializer>()

/** Builds each of Fastify's serializers once, because this is most of the work of a start. */
export const buildSerializer: Build = (...args) => {
  const compile = SerializerSelector()(...args)
  return (route) => {
    const key = JSON.stringify(route.schema)
    const serializer = cache.get(key) ?? compile(route)
    cache.set(key, serializer)
    return serializer
  }
}
