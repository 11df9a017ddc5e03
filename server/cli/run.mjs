/**
 * Runs a program of this repository on the pinned Node, whichever Node starts it: installs the locked dependencies,
 * builds what changed (with `--build`), then runs it. `node server/cli/run.mjs [--build] FILE [arguments]`.
 * Built-in modules only and no TypeScript: on a fresh clone nothing else exists.
 */
import { spawn } from 'node:child_process'
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadBundledDependencies } from './dependencies.mjs'
import { build, install, pinnedNode, root } from './prepare.mjs'

const rest = process.argv.slice(2)
const wantsBuild = rest[0] === '--build'
if (wantsBuild) rest.shift()
const [file, ...args] = rest
if (!file) {
  console.error('Usage: node server/cli/run.mjs [--build] FILE [arguments]')
  process.exit(2)
}

/** The pinned version is the one of the `node` package; this process may be any. */
const isPinned = () =>
  process.version === `v${module.createRequire(join(root, 'package.json'))('node/package.json').version}`

/**
 * Runs the program in this process, which saves starting another one. The compile cache avoids stripping types again.
 */
const runHere = async () => {
  module.enableCompileCache(join(root, 'node_modules/.cache/compile'))
  loadBundledDependencies()
  const path = join(root, file)
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
}

/** Passes signals to the child, and exits when it exits. */
const runThere = () => {
  const program = [...process.execArgv, join(root, 'server/cli/run.mjs'), file, ...args]
  const child = spawn(pinnedNode, program, { cwd: root, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`Cannot run ${pinnedNode}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

process.chdir(root)
try {
  await install()
  if (wantsBuild) await build()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (isPinned()) await runHere()
else runThere()
