import { mkdir, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Config } from '../config/config.ts'
import { newId } from '../crypto/ids.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../time/clock.ts'
import { mailErrors } from './errors.ts'

export interface Letter {
  /** One bare address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** The one way by which mail leaves. */
export interface Mail {
  /**
   * Hands the letter to the mail server, or, without SMTP_URL, writes it to `DATA_DIR/mail/*.eml`.
   * @throws MAIL_UNAVAILABLE, MAIL_RECIPIENT_REFUSED
   */
  send(letter: Letter): Promise<void>
  /**
   * Does what `send` does, takes about as long and fails when it would, but nobody gets anything: so that an address
   * we do not write to cannot be told from one we do.
   * @throws MAIL_UNAVAILABLE
   */
  rehearse(letter: Letter): Promise<void>
}

interface MailParts {
  readonly config: Pick<Config, 'mail' | 'dataDir'>
  readonly clock: Clock
  readonly log: Log
}

/** `ana@example.com` → `a…@example.com`. */
export const maskAddress = (address: string): string => address.replace(/^(.)[^@]*/, '$1…')

const messageOf = (letter: Letter, from: string, clock: Clock): SendMailOptions => ({
  from,
  // As an object: a comma in an address must not become a second recipient.
  to: { name: '', address: letter.to },
  subject: letter.subject,
  text: letter.text,
  html: letter.html,
  date: clock.now(),
  // Six digits stay six digits; base64 would hide them from programs that read the file.
  textEncoding: 'quoted-printable',
  disableFileAccess: true,
  disableUrlAccess: true,
})

export function createMail(parts: MailParts): Mail {
  return parts.config.mail.smtpUrl ? smtpMail(parts, parts.config.mail.smtpUrl) : fileMail(parts)
}

/** SMTP refuses a recipient in its envelope; everything else is the server's or our own trouble. */
const isRecipientRefused = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EENVELOPE' &&
  'command' in error &&
  error.command === 'RCPT TO'

/** Loaded with the first letter: an installation sends a few a day, and the library weighs five megabytes. */
const mailer = () => import('nodemailer')

function smtpMail({ config, clock, log }: MailParts, url: string): Mail {
  let opened: Promise<Transporter> | undefined
  const connect = async () =>
    (await mailer()).createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 })
  const transport = () => {
    opened ??= connect()
    return opened
  }
  return {
    async send(letter) {
      try {
        await (await transport()).sendMail(messageOf(letter, config.mail.from, clock))
      } catch (error) {
        if (isRecipientRefused(error)) throw mailErrors.RECIPIENT_REFUSED({ cause: error })
        throw mailErrors.UNAVAILABLE({ cause: error })
      }
      log.info({ to: maskAddress(letter.to) }, 'mail sent')
    },
    async rehearse() {
      try {
        await (await transport()).verify()
      } catch (error) {
        throw mailErrors.UNAVAILABLE({ cause: error })
      }
    },
  }
}

function fileMail({ config, clock, log }: MailParts): Mail {
  const folder = join(config.dataDir, 'mail')
  /** Writes the whole letter under a name no reader looks at. */
  const draft = async (letter: Letter) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const composer = (await mailer()).createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
    const { message } = await composer.sendMail(messageOf(letter, config.mail.from, clock))
    const name = `${clock.now().toISOString().replace(/[-:.]/g, '')}-${newId()}`
    const path = join(folder, `.${name}.draft`)
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(message as Buffer)
    } finally {
      await file.close()
    }
    return { path, final: join(folder, `${name}.eml`) }
  }

  return {
    async send(letter) {
      try {
        const { path, final } = await draft(letter)
        await rename(path, final)
        log.info({ to: maskAddress(letter.to), path: final }, 'mail written to a file; set SMTP_URL to send it')
      } catch (error) {
        throw mailErrors.UNAVAILABLE({ cause: error })
      }
    },
    async rehearse(letter) {
      try {
        await unlink((await draft(letter)).path)
      } catch (error) {
        throw mailErrors.UNAVAILABLE({ cause: error })
      }
    },
  }
}
