import { isAbsolute, resolve } from 'node:path'
import { ConfigError } from '#server/platform/config/config.ts'
import { databaseFileFault } from '#server/platform/db/sqlite/faults.ts'
import { InstallationFault } from '#server/platform/process/installation-fault.ts'

/** An error that the person can fix: printed without a stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Runs a program. A refusal is printed as one sentence, and it exits 1. */
export async function runProgram(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isExpected = error instanceof Refusal || error instanceof ConfigError || error instanceof InstallationFault
    const damage = databaseFileFault(error, 'The database')
    console.error(isExpected ? error.message : (damage?.message ?? error))
    process.exitCode = 1
  }
}

/** Words after `--`: `--name value` and `--name` by name, the rest in order. */
export const readArguments = (flags: readonly string[] = []) => {
  const words = process.argv.slice(2)
  const named = new Map<string, string>()
  const rest: string[] = []
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] as string
    if (!word.startsWith('--')) rest.push(word)
    else if (word.includes('=')) named.set(word.slice(2, word.indexOf('=')), word.slice(word.indexOf('=') + 1))
    else if (flags.includes(word.slice(2))) named.set(word.slice(2), '')
    else {
      i += 1
      named.set(word.slice(2), words[i] ?? '')
    }
  }
  return { named, rest }
}

/** Resolves a path against the person's folder: npm starts programs in the project's folder. */
export const personsPath = (path: string) =>
  isAbsolute(path) ? path : resolve(process.env.INIT_CWD ?? process.cwd(), path)

export const sizeText = (bytes: number) =>
  bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`
