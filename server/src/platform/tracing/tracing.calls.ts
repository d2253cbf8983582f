import { tracingChannel } from 'node:diagnostics_channel'

/** A call of an outside system that undici does not send. */
export interface OutgoingCall {
  name: string
  host: string
}

/** What a call reports at its start and at its end. It is one object for one call. */
export interface OutgoingCallMessage extends OutgoingCall {
  error?: unknown
}

export const outgoingCallChannel = tracingChannel<OutgoingCallMessage>('karvon.outgoing-call')

/** Runs a call. Traces record it with its name, its host and the code of its error. */
export const traceOutgoingCall = <Result>(call: OutgoingCall, run: () => Promise<Result>): Promise<Result> =>
  outgoingCallChannel.tracePromise(run, { ...call })
