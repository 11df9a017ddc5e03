import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { pino } from 'pino'
import { takeInOwnProcess } from '#server/cli/own-process.ts'
import { requirePasswordList } from '#server/identity/auth/passwords/leaked-passwords.ts'
import { checkSecretBelongs } from '#server/identity/auth/secret-check.ts'
import { createSpacing } from '#server/messaging/outbox/spacing.ts'
import { type Config, ConfigError, readConfig } from '#server/platform/config/config.ts'
import { unsealedConnections } from '#server/platform/crypto/unsealed.ts'
import { openInstallation } from '#server/platform/db/open-installation.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { startFault } from '#server/platform/process/start-fault.ts'
import { releaseStartupMemory } from '#server/platform/process/startup-memory.ts'
import { openFileStorages } from '#server/platform/storage/open.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { installBuiltWeb } from '#server/web/install.ts'
import { buildApp } from './app.ts'
import { compose, hasSealedRows } from './wiring.ts'

/** An orderly shutdown may take this long. Unfinished work is rows, and continues at the next start. */
const graceMs = 8_500
/** Late enough not to delay the start, early enough that nobody works yet. */
const releaseMemoryAfterMs = 1_500

const local = (host: string, port: number) => {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The process: environment → database → backend → address → an orderly end. */
async function main(config: Config) {
  const log = pino({ level: config.logLevel, serializers: { err: errorFacts } })
  await requirePasswordList(config.passwordList)
  const unsealed = unsealedConnections(config)
  if (unsealed.length) log.warn({ variables: unsealed }, 'connections leave this machine that can be read on the way')
  const { databases, migrate, release } = await openInstallation(config, { clock: systemClock, log })
  await checkSecretBelongs({ config, db: databases.read, hasSealedRows })
  const storages = await openFileStorages(config)
  const ran = await migrate()
  if (ran.length) log.info({ migrations: ran }, 'migrations ran')

  let selfUrl = local(config.host, config.port)
  const backend = compose({
    config,
    databases,
    log,
    storages,
    selfUrl: () => selfUrl,
    spacing: createSpacing(),
    takeSnapshot: takeInOwnProcess,
  })
  const web = process.argv.includes('--dev') ? (await import('#server/web/dev.ts')).installDevWeb : installBuiltWeb
  const app = await buildApp(backend, { logger: log, web })
  await app.listen({ host: config.host, port: config.port, backlog: 4096 })
  selfUrl = local(config.host, (app.server.address() as AddressInfo).port)
  backend.start()
  setTimeout(() => void releaseStartupMemory(), releaseMemoryAfterMs).unref()
  await greet(selfUrl, backend)

  let ending = false
  const end = async (signal: string) => {
    if (ending) return
    ending = true
    log.info({ signal }, 'stopping: no new work, what is in flight ends')
    setTimeout(() => process.exit(0), graceMs).unref()
    await app.close()
    await backend.stop()
    await databases.close()
    release()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      end(signal).catch(error => {
        log.error({ err: error }, 'shutting down failed')
        process.exit(1)
      })
    })
}

const greet = async (address: string, backend: ReturnType<typeof compose>) => {
  const { empty } = await backend.site()
  console.log(`\nRecado is ready: ${address}`)
  if (backend.config.publicUrl !== address) console.log(`Public address: ${backend.config.publicUrl}`)
  if (empty)
    console.log(`Next step: open it, sign in with your e-mail and create your organization. ${mailHint(backend)}`)
}

const mailHint = ({ config }: ReturnType<typeof compose>) =>
  config.mail.smtpUrl ? '' : `Without SMTP_URL the sign-in code lands in ${config.dataDir}/mail/.`

try {
  const config = readConfig(process.env)
  try {
    await main(config)
  } catch (error) {
    const fault = startFault(error, config)
    console.error(...(fault ? [fault] : ['Recado could not start.', error]))
    process.exit(1)
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}
