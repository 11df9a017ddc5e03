/**
 * Loaded before test files. tap follows every promise of the process to attribute unhandled errors to a test, which
 * takes a fifth of the whole run. This turns it off: an unhandled error ends the process, and the file fails.
 */
import asyncHooks from 'node:async_hooks'
import { writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { createHook } = asyncHooks
const noHook = {
  enable: () => noHook,
  disable: () => noHook,
}
asyncHooks.createHook = callbacks =>
  new Error('who asks').stack?.includes('async-hook-domain') ? noHook : createHook(callbacks)
syncBuiltinESMExports()

process.on('uncaughtExceptionMonitor', error => {
  const lines = String(error?.stack ?? error).split('\n')
  writeSync(1, `\nnot ok - ${lines[0]}\n  ---\n  stack: |-\n${lines.map(line => `    ${line}`).join('\n')}\n  ...\n`)
})
