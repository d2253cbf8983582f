import { tracingChannel } from 'node:diagnostics_channel'

/** A call to an outside system that does not go through undici. */
export interface OutgoingCall {
  name: string
  host: string
}

/** The message of a call at its start and at its end: one object for each call. */
export interface OutgoingCallMessage extends OutgoingCall {
  error?: unknown
}

export const outgoingCallChannel = tracingChannel<OutgoingCallMessage>('karvon.outgoing-call')

/** Runs a call. A trace records its name, its host and the code of its error. */
export const traceOutgoingCall = <Result>(call: OutgoingCall, run: () => Promise<Result>): Promise<Result> =>
  outgoingCallChannel.tracePromise(run, { ...call })
