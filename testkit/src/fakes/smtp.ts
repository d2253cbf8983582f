import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { findFreePort } from '../free-port.ts'
import { readMail, type ReceivedMail } from './smtp.mail.ts'

/**
 * The behaviour of the fake: `ok`, or a failure of real mail servers. `greylist` refuses each recipient once; `lost`
 * accepts a mail and drops the connection without an answer; `echo` repeats the mail in its refusal.
 */
export type SmtpMode =
  | 'ok'
  | 'slow'
  | 'greylist'
  | 'busy'
  | 'unknown'
  | 'spam'
  | 'echo'
  | 'hang'
  | 'drop'
  | 'lost'

export interface FakeSmtp {
  /** The value for KARVON_SMTP_URL, with user and password. */
  url: string
  port: number
  mode: SmtpMode
  /** Milliseconds that `slow` takes for each mail. */
  delay: number
  /** The accepted mails, oldest first, including those of `lost`. */
  readonly accepted: ReceivedMail[]
  /** All complete mails, accepted or not. */
  readonly received: ReceivedMail[]
  /** Connections so far. */
  readonly connections: number
  /** The passwords of all sign-ins. */
  readonly passwords: string[]
  close(): Promise<void>
}

const refusals: Partial<Record<SmtpMode, [number, string]>> = {
  busy: [450, '4.2.0 Try again later'],
  unknown: [550, '5.1.1 No such user here'],
}

/** Starts a mail server without TLS. It stores the mails of clients that sign in as `login`; null needs no sign-in. */
export async function startSmtp(
  login: { user: string; pass: string } | null = { user: 'desk', pass: 'desk-password' },
  { port: givenPort, host = '127.0.0.1' }: { port?: number; host?: string } = {},
): Promise<FakeSmtp> {
  const port = givenPort ?? (await findFreePort())
  const sockets = new Set<Socket>()
  const refusedAddresses = new Set<string>()
  let connections = 0
  const server = new SMTPServer({
    authOptional: login === null,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (typeof password === 'string') fake.passwords.push(password)
      const right = username === login?.user && password === login?.pass
      if (right) done(null, { user: username })
      else done(reply(535, '5.7.8 Wrong user or password'))
    },
    onRcptTo({ address }, _session, done) {
      const [code, text] = refusals[fake.mode] ?? []
      if (code !== undefined) return done(reply(code, text ?? ''))
      if (fake.mode === 'greylist' && !refusedAddresses.has(address)) {
        refusedAddresses.add(address)
        return done(reply(451, '4.7.1 Greylisted'))
      }
      done()
    },
    onData(stream, session, done) {
      if (fake.mode === 'drop') return cut(session)
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => void receiveMail(Buffer.concat(pieces), session, done))
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  function cut(session: SMTPServerSession): void {
    for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.resetAndDestroy()
  }

  async function receiveMail(raw: Buffer, session: SMTPServerSession, done: (error?: Error | null) => void) {
    const { mode } = fake
    const mail = readMail(raw, session)
    fake.received.push(mail)
    if (mode === 'hang') return
    if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, fake.delay))
    if (mode === 'spam') return done(reply(554, '5.7.1 This looks like spam'))
    if (mode === 'echo') return done(reply(451, `4.3.0 ${mail.text.replaceAll(/\s+/g, ' ')}`))
    fake.accepted.push(mail)
    if (mode === 'lost') cut(session)
    else done()
  }

  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve)
  })
  const fake: FakeSmtp = {
    url: `smtp://${login === null ? '' : `${login.user}:${login.pass}@`}${host}:${port}`,
    port,
    mode: 'ok',
    delay: 1000,
    accepted: [],
    received: [],
    passwords: [],
    get connections() {
      return connections
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return fake
}

const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
