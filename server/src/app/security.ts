import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

const self = ["'self'"]
const none = ["'none'"]

/**
 * Headers of every answer. Styles may stand inline, since the widgets compute positions; scripts may not.
 * No HSTS: the usual address is plain http on this machine, and a proxy that speaks TLS sets its own.
 */
export async function registerSecurity(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: self,
        scriptSrc: self,
        styleSrc: [...self, "'unsafe-inline'"],
        imgSrc: [...self, 'data:'],
        fontSrc: self,
        connectSrc: self,
        formAction: self,
        frameAncestors: none,
        objectSrc: none,
        baseUri: none,
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    hsts: false,
    // Browsers ignore these two, with an error on the console, where the address is plain http on a network.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    if (isApi(request.url)) void reply.header('cache-control', 'no-store')
  })
}

/** Calls, as opposed to the web's pages; `/parcels` is a page. */
export const isApi = (url: string): boolean => /^\/(api|parcel)(\/|\?|$)/.test(url)
