import { mkdir, open, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Config } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { mailErrors } from './errors.ts'

export interface Letter {
  /** One bare address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** The address at which mail programs unsubscribe with one click (RFC 8058): a POST, without signing in. */
  readonly oneClickUnsubscribe?: string
}

/** The only way to send mail. */
export interface Mail {
  /**
   * Sends a mail, or writes it to `DATA_DIR/mail/*.eml` without SMTP_URL.
   * @throws MAIL_UNAVAILABLE, MAIL_RECIPIENT_REFUSED
   */
  send(letter: Letter): Promise<void>
  /**
   * Takes as long as `send` and fails when it would, but sends nothing, so that a caller cannot tell whether an address
   * gets mail.
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
  // As an object, so that a comma in an address does not make a second recipient.
  to: { name: '', address: letter.to },
  subject: letter.subject,
  text: letter.text,
  html: letter.html,
  date: clock.now(),
  // Not base64: programs that read the file look for the six digits.
  textEncoding: 'quoted-printable',
  ...(letter.oneClickUnsubscribe === undefined
    ? {}
    : {
        headers: {
          'List-Unsubscribe': `<${letter.oneClickUnsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
  disableFileAccess: true,
  disableUrlAccess: true,
})

export function createMail(parts: MailParts): Mail {
  return parts.config.mail.smtpUrl ? smtpMail(parts, parts.config.mail.smtpUrl) : fileMail(parts)
}

/** A refusal in the envelope concerns the recipient; every other error is the server's or ours. */
const isRecipientRefused = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EENVELOPE' &&
  'command' in error &&
  error.command === 'RCPT TO'

/** Loaded with the first mail, because the library takes five megabytes of memory. */
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
  /** Writes the whole mail under a temporary name. */
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
