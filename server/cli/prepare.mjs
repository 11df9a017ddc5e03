/**
 * Prepares what every program needs: the locked dependencies and the built client. Each is done only when its sources
 * changed, so a second start takes some milliseconds. It uses built-in modules only, because it runs on any Node and
 * before the dependencies are installed.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBundled } from './dependencies.mjs'
import { bringBackAssets, putAsideAssets } from './old-assets.mjs'

export const root = fileURLToPath(new URL('../../', import.meta.url))
const modules = join(root, 'node_modules')
const isWindows = process.platform === 'win32'
/** Node as the lockfile pins it. */
export const pinnedNode = join(modules, 'node/bin', isWindows ? 'node.exe' : 'node')

const installStamp = join(modules, '.recado-installed')
const buildStamp = join(root, 'dist/.built.json')
const assetFolders = {
  assets: join(root, 'dist/client/assets'),
  aside: join(root, 'dist/old-assets'),
  record: join(root, 'dist/.old-assets.json'),
}
const builtEntries = ['dist/client', 'dist/server']

const sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}
const readOr = (path, fallback) => (existsSync(path) ? readFileSync(path, 'utf8') : fallback)

/** Runs a program and shows its output. */
const run = (command, args, env) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env,
      shell: isWindows && command === 'npm',
    })
    child.on('error', reject)
    child.on('exit', code => {
      if (code === 0) resolve()
      else reject(new Error(`\`${[command, ...args].join(' ')}\` ended with ${code}. Its last lines above say why.`))
    })
  })

/**
 * npm as the person started it. Never with the Node of node_modules: `npm ci` deletes that one while it runs.
 */
const npm = args => {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(part => !part.includes('node_modules'))
    .join(delimiter)
  const env = { ...process.env, PATH: path }
  for (const name of ['npm_config_ignore_scripts', 'npm_config_omit', 'NODE_ENV']) delete env[name]
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  return script && node ? run(node, [script, ...args], env) : run('npm', args, env)
}

/** True when npm's own record of what lies in node_modules equals the lockfile. */
const isInstalledAsLocked = lock => {
  const record = readOr(join(modules, '.package-lock.json'))
  if (!record) return false
  const there = JSON.parse(record).packages
  const wanted = JSON.parse(lock).packages
  const isSame = ([path, entry]) =>
    path === '' || (there[path] ? there[path].integrity === entry.integrity : entry.optional || entry.peer)
  return Object.entries(wanted).every(isSame)
}

/** Installs the locked dependencies unless they are there; the only install script that runs is the one that brings Node. */
export async function install() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const stamp = sha256(lock)
  const hasNode = existsSync(pinnedNode)
  if (hasNode && readOr(installStamp) === stamp) return
  if (!hasNode || !isInstalledAsLocked(lock)) {
    console.log('Installing the locked dependencies (once, about half a minute)…')
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error'])
    await npm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'])
    if (!existsSync(pinnedNode))
      throw new Error(`npm did not bring ${relative(root, pinnedNode)}. Try: npm ci && npm rebuild node`)
  }
  writeFileSync(installStamp, stamp)
}

const sources = ['client', 'shared', 'locales', 'vite.config.ts', 'package-lock.json', 'tsconfig.json']

/** Every source file with its size and time, sorted by path. */
const listSources = () => {
  const files = []
  const visit = path => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) return
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name))
    else files.push({ path: relative(root, path), mark: `${stat.size}:${stat.mtimeMs}` })
  }
  for (const source of sources) visit(join(root, source))
  return files
}

const marksOf = files => sha256(...files.flatMap(file => [file.path, file.mark]))
const contentsOf = files => sha256(...files.flatMap(file => [file.path, readFileSync(join(root, file.path))]))

/** Says whether the pages are those of the sources, by the sources' contents. */
export function isBuilt() {
  const files = listSources()
  const last = JSON.parse(readOr(buildStamp, '{}'))
  const isThere = builtEntries.every(entry => existsSync(join(root, entry)))
  return isThere && (last.marks === marksOf(files) || last.contents === contentsOf(files))
}

/** Bundles the server's dependencies, and builds the client and its server entry, if a source changed. */
export async function build() {
  if (!isBundled()) await run(pinnedNode, [join(root, 'server/cli/dependencies.mjs')], process.env)
  const files = listSources()
  const marks = marksOf(files)
  const last = JSON.parse(readOr(buildStamp, '{}'))
  const isThere = builtEntries.every(entry => existsSync(join(root, entry)))
  if (isThere && last.marks === marks) return
  // A checkout may change times without changing contents.
  const contents = contentsOf(files)
  if (!isThere || last.contents !== contents) {
    console.log('Building the pages…')
    const vite = join(modules, 'vite/bin/vite.js')
    putAsideAssets(assetFolders)
    try {
      await run(pinnedNode, [vite, 'build', '--app', '--logLevel', 'warn'], { ...process.env, NODE_ENV: 'production' })
    } finally {
      bringBackAssets(assetFolders)
    }
  }
  mkdirSync(dirname(buildStamp), { recursive: true })
  writeFileSync(buildStamp, JSON.stringify({ marks, contents }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await install()
  await build()
}
