import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { readMail, type ReceivedMail } from './smtp.mail.ts'

/**
 * How the fake behaves: `ok`, or one of the bad days that mail servers have. `greylist` refuses each recipient once,
 * for now; `lost` takes a mail and drops the line before it says so; `echo` repeats the mail in its refusal.
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
  /** For KARVON_SMTP_URL, with the user and the password that it insists on. */
  url: string
  port: number
  mode: SmtpMode
  /** Milliseconds that `slow` takes for each mail. */
  delay: number
  /** What was taken, oldest first; of `lost`, too. */
  readonly mails: ReceivedMail[]
  /** What came whole, taken or not. */
  readonly seen: ReceivedMail[]
  /** Connections so far. */
  readonly connections: number
  /** Passwords that it was told. */
  readonly passwords: string[]
  close(): Promise<void>
}

const refusals: Partial<Record<SmtpMode, [number, string]>> = {
  busy: [450, '4.2.0 Try again later'],
  unknown: [550, '5.1.1 No such user here'],
}

/** A mail server on `host` that takes mails of whoever signs in as `login`, and keeps them. Without TLS. */
export async function startSmtp(
  login: { user: string; pass: string } | null = { user: 'desk', pass: 'desk-password' },
  { port = 0, host = '127.0.0.1' } = {},
): Promise<FakeSmtp> {
  const sockets = new Set<Socket>()
  const refused = new Set<string>()
  let connections = 0
  const server = new SMTPServer({
    authOptional: login === null,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      if (typeof password === 'string') stand.passwords.push(password)
      const right = username === login?.user && password === login?.pass
      if (right) done(null, { user: username })
      else done(reply(535, '5.7.8 Wrong user or password'))
    },
    onRcptTo({ address }, _session, done) {
      const [code, text] = refusals[stand.mode] ?? []
      if (code !== undefined) return done(reply(code, text ?? ''))
      if (stand.mode === 'greylist' && !refused.has(address)) {
        refused.add(address)
        return done(reply(451, '4.7.1 Greylisted'))
      }
      done()
    },
    onData(stream, session, done) {
      if (stand.mode === 'drop') return cut(session)
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => void taken(Buffer.concat(pieces), session, done))
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

  async function taken(raw: Buffer, session: SMTPServerSession, done: (error?: Error | null) => void) {
    const { mode } = stand
    const mail = readMail(raw, session)
    stand.seen.push(mail)
    if (mode === 'hang') return
    if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, stand.delay))
    if (mode === 'spam') return done(reply(554, '5.7.1 This looks like spam'))
    if (mode === 'echo') return done(reply(451, `4.3.0 ${mail.text.replaceAll(/\s+/g, ' ')}`))
    stand.mails.push(mail)
    if (mode === 'lost') cut(session)
    else done()
  }

  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve)
  })
  const bound = (server.server.address() as AddressInfo).port
  const stand: FakeSmtp = {
    url: `smtp://${login === null ? '' : `${login.user}:${login.pass}@`}${host}:${bound}`,
    port: bound,
    mode: 'ok',
    delay: 1000,
    mails: [],
    seen: [],
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
  return stand
}

const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
