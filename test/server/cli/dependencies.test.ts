import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { bundleDependencies, bundled } from '#server/cli/dependencies.mjs'
import { listFiles, readSource, root } from '#test/helpers/sources.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)
await bundleDependencies()

const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
const packages = new Set(bundled.map(packageOf))

/** Runs a few lines as a process that loads the bundle, or as one that does not. */
const evaluate = (lines: string, isBundled: boolean): unknown => {
  const hook = ['--import', join(root, 'test/stages/as-started.mjs')]
  const args = [...(isBundled ? hook : []), '--input-type=module', '-e', lines]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }))
}

t.test('what is imported of a bundled package is in the bundle: elsewhere lies a second copy of it', t => {
  const imported = listFiles(['server', 'shared', 'migrations', 'test'], /\.(ts|mjs)$/)
    .flatMap(path => readSource(path).imports)
    .filter(({ specifier, typeOnly }) => !typeOnly && packages.has(packageOf(specifier)))
    .map(({ specifier }) => specifier)
  t.strictSame([...new Set(imported)].sort(), [...bundled].sort())
  t.end()
})

t.test('of each the bundle has what the package has', t => {
  const lines = `
    const names = {}
    for (const one of ${JSON.stringify(bundled)}) names[one] = Object.entries(await import(one))
      .map(([name, value]) => [name, typeof value, value?.name]).sort()
    process.stdout.write(JSON.stringify(names))`
  t.strictSame(evaluate(lines, true), evaluate(lines, false))
  t.end()
})

t.test('a server with the bundle loads no module of these packages as it lies', t => {
  const lines = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
    await import('#server/wiring.ts')
    await import('#server/app.ts')
    process.stdout.write(JSON.stringify(urls))`
  const lying = (isBundled: boolean) =>
    (evaluate(lines, isBundled) as string[]).filter(url =>
      [...packages].some(name => url.startsWith(pathToFileURL(join(root, 'node_modules', name, '/')).href)),
    )
  t.strictSame(lying(true), [])
  t.ok(lying(false).length > 1_000, 'a thousand otherwise')
  t.end()
})
