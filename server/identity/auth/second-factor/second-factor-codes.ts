import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { createBackupCodeHash, createBackupCodes } from './backup-codes.ts'
import { findSecondFactor, markTimeStepUsed, replaceBackupCodes, takeBackupCode } from './second-factor-store.ts'
import { findStep } from './totp.ts'

/** Checks second-factor codes. Each can be used once, so it is taken in the transaction of what it allows. */
export interface SecondFactorCodes {
  /** False: not a current code of the person's app, or already used. */
  takeAppCode(trx: Db, userId: string, code: string): Promise<boolean>
  takeBackupCode(trx: Db, userId: string, code: string): Promise<boolean>
  /** Tries both; undefined: neither matches. */
  take(trx: Db, userId: string, code: string): Promise<'app' | 'backup' | undefined>
  /** Replaces the backup codes. The new ones are returned once and stored as hashes. */
  replaceBackupCodes(trx: Db, userId: string): Promise<string[]>
  encrypt(secret: string, userId: string): string
}

const contextOf = (userId: string): string => `second_factor.secret ${userId}`

export const sealedSecondFactors: EncryptedColumn = {
  table: 'second_factor',
  key: ['user_id'],
  column: 'secret',
  contextOf,
}

interface SecondFactorCodeParts {
  readonly clock: Clock
  readonly secret: string
  /** Secrets from before a rotation: backup codes hashed with them are accepted. */
  readonly previousSecrets?: readonly string[]
  readonly vault: Vault
}

export function createSecondFactorCodes(parts: SecondFactorCodeParts): SecondFactorCodes {
  const { clock, vault } = parts
  const hash = createBackupCodeHash(parts.secret)
  const hashes = [hash, ...(parts.previousSecrets ?? []).map(createBackupCodeHash)]

  const takeAppCode = async (trx: Db, userId: string, code: string) => {
    const stored = await findSecondFactor(trx, userId)
    if (!stored) return false
    const step = findStep(vault.decrypt(stored.secret, contextOf(userId)), code.replace(/\s/g, ''), clock.now())
    return step !== undefined && markTimeStepUsed(trx, userId, step)
  }
  const takeBackup = (trx: Db, userId: string, code: string) =>
    takeBackupCode(
      trx,
      userId,
      hashes.map(one => one(userId, code)),
    )

  return {
    takeAppCode,
    takeBackupCode: takeBackup,
    async take(trx, userId, code) {
      if (await takeAppCode(trx, userId, code)) return 'app'
      return (await takeBackup(trx, userId, code)) ? 'backup' : undefined
    },
    async replaceBackupCodes(trx, userId) {
      const codes = createBackupCodes()
      await replaceBackupCodes(
        trx,
        userId,
        codes.map(code => hash(userId, code)),
      )
      return codes
    },
    encrypt: (secret, userId) => vault.encrypt(secret, contextOf(userId)),
  }
}
