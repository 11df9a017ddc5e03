import { type Config, ConfigError, readConfig } from '#server/platform/config/config.ts'
import { type Clock, systemClock } from '#server/platform/time/clock.ts'
import { examineDatabase } from './examine/database.ts'
import { type Finding, guarded, ill, well } from './examine/finding.ts'
import {
  examineClock,
  examineDataDir,
  examineDisk,
  examineNativeModule,
  examineNode,
  examinePort,
  examineTexts,
} from './examine/machine.ts'
import { examineEncryption, examinePasswordList } from './examine/safety.ts'
import { examineFiles, examineMail } from './examine/services.ts'
import { isBuilt } from './prepare.mjs'

export type { Finding } from './examine/finding.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Checks everything that the server needs here, one finding at a time. Changes nothing; asks Meta only about numbers
 * that are connected to it.
 */
export async function* examine(env: Env, clock: Clock = systemClock): AsyncGenerator<Finding> {
  yield await guarded('Node', examineNode)
  yield await guarded('Native module', examineNativeModule)
  yield await guarded('Clock', () => examineClock(clock))
  yield await guarded('Texts', examineTexts)
  yield await guarded('Pages', () =>
    isBuilt() ? well('built from these sources') : ill('not built, or sources changed since', 'npm run build'),
  )
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const fault of error.faults)
      yield { name: 'Environment', ...ill(fault, 'correct the variable and run npm run doctor again') }
    return
  }
  yield { name: 'Environment', ...well(`PUBLIC_URL ${config.publicUrl}`) }
  yield await guarded('Data folder', () => examineDataDir(config))
  yield await guarded('Disk', () => examineDisk(config))
  yield await guarded('Files', () => examineFiles(config))
  yield* examineDatabase(config, clock)
  yield await guarded('Address', () => examinePort(config))
  yield await guarded('Mail', () => examineMail(config))
  yield await guarded('Encryption', () => examineEncryption(config))
  yield await guarded('Passwords', () => examinePasswordList(config))
}
