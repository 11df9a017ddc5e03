import { basename, dirname, extname } from 'node:path'
import t from 'tap'
import { type Import, lineOf, listFiles, readImports, readSource, type Source } from '#test/helpers/sources.ts'

/** Rooms come from folder names: a new one is guarded from birth. */
const sources = listFiles(['server', 'client', 'shared', 'migrations'], /\.(ts|tsx|mts|mjs|js|jsx)$/).map(readSource)
const inside = (...zones: string[]) => sources.filter(({ path }) => zones.some(zone => path.startsWith(`${zone}/`)))
const segments = (path: string) => path.split('/')
const zoneOf = (path: string) => segments(path)[0] as string

/** The folder of a file below `server/` or `client/`; undefined for files that lie beside the rooms. */
const folderOf = (path: string) => (segments(path).length > 2 ? segments(path)[1] : undefined)
const serverFolders = new Set(inside('server').flatMap(({ path }) => folderOf(path) ?? []))
const contracts = new Set(inside('shared').map(({ path }) => basename(path, '.ts')))
/** A client folder with a twin in the house is a room; `ui` and the like have none. */
const isClientRoom = (folder: string) => serverFolders.has(folder) || contracts.has(folder)

type Fault = string
const at = ({ path }: Source, line: number, why: string): Fault => `${path}:${line} ${why}`

const importFaults = (files: readonly Source[], judge: (found: Import, file: Source) => string | undefined): Fault[] =>
  files.flatMap(file =>
    file.imports.flatMap(found => {
      const why = judge(found, file)
      return why ? [at(file, found.line, `${why}: '${found.specifier}'`)] : []
    }),
  )

const textFaults = (files: readonly Source[], pattern: RegExp, why: string): Fault[] =>
  files.flatMap(file =>
    [...file.code.matchAll(pattern)].map(match =>
      at(file, lineOf(file.code, match.index), `${why}: ${match[0].trim()}`),
    ),
  )

const law = (name: string, faults: readonly Fault[]) =>
  t.test(name, async t => {
    for (const fault of faults) t.fail(fault)
    if (faults.length === 0) t.pass(name)
  })

t.test('the reader of imports sees every form', async t => {
  const code = [
    `import t from 'a'`,
    `import type { B } from './b.ts'`,
    `import {`,
    `  c,`,
    `} from '#server/c.ts'`,
    `export * from '../d.ts'`,
    `import 'e'`,
    `const f = await import('./f.ts')`,
    `const text = "import x from 'no'"`,
  ].join('\n')
  t.same(
    readImports('server/room/x.ts', code).map(({ line, target, specifier, typeOnly }) => [
      line,
      target ?? specifier,
      typeOnly,
    ]),
    [
      [1, 'a', false],
      [2, 'server/room/b.ts', true],
      [5, 'server/c.ts', false],
      [6, 'server/d.ts', false],
      [7, 'e', false],
      [8, 'server/room/f.ts', false],
    ],
  )
  t.ok(sources.length > 20, 'the house is there')
})

/** Pure, the same on both sides: what schemas and numbers are written in. */
const purePackage = /^(?:typebox|libphonenumber-js)(?:\/|$)/

law(
  'shared imports nothing but shared and pure packages',
  importFaults(inside('shared'), ({ target, specifier }) => {
    if (target !== undefined) return zoneOf(target) === 'shared' ? undefined : 'shared may import shared only'
    return purePackage.test(specifier) ? undefined : 'shared may import typebox only'
  }),
)

law(
  'client imports client and shared, never the server',
  importFaults(inside('client'), ({ target }) =>
    target === undefined || ['client', 'shared', 'locales'].includes(zoneOf(target))
      ? undefined
      : 'client may import client and shared',
  ),
)

law(
  'server imports server and shared; only server/web knows the client, and none of its JSX',
  importFaults(inside('server'), ({ target, typeOnly }, file) => {
    if (target === undefined || ['server', 'shared', 'locales'].includes(zoneOf(target))) return undefined
    const isPageRoom = file.path.startsWith('server/web/') && zoneOf(target) === 'client'
    return isPageRoom && (typeOnly || !target.endsWith('x')) ? undefined : 'server may import server and shared'
  }),
)

law(
  'only server/web and the build know the built pages',
  textFaults(
    inside('server').filter(({ path }) => !path.startsWith('server/web/') && !path.startsWith('server/cli/')),
    /entry\.(?:server|client)|dist\/(?:client|server)/g,
    'only server/web may know the built client',
  ),
)

law(
  'migrations import nothing of the house',
  importFaults(inside('migrations'), ({ target }) =>
    target === undefined ? undefined : 'a migration is frozen in time',
  ),
)

/** What holds a room's SQL and its rows. */
const isStore = (path: string) => /(?:^|[/-])(?:store|table)\.ts$/.test(path) || /\/store\//.test(path)

law(
  "a room never imports another room's store or table",
  importFaults(
    inside('server').filter(({ path }) => !path.startsWith('server/cli/')),
    ({ target, typeOnly }, file) => {
      if (target === undefined || !isStore(target)) return undefined
      const owner = folderOf(target)
      if (owner === undefined || owner === folderOf(file.path)) return undefined
      const isSumOfTables = file.path === 'server/db.ts' && typeOnly && target.endsWith('table.ts')
      return isSumOfTables ? undefined : `"${folderOf(file.path) ?? file.path}" asks the room "${owner}" by its service`
    },
  ),
)

law(
  'a client room never imports another one',
  importFaults(inside('client'), ({ target }, file) => {
    const from = folderOf(file.path)
    if (target === undefined || zoneOf(target) !== 'client' || from === undefined) return undefined
    const to = folderOf(target)
    if (to === undefined || to === from || !isClientRoom(to)) return undefined
    return `"${from}" may not know "${to}"; they meet in client/`
  }),
)

/** What the browser loads, found by following the imports of its entry. */
const browserFiles = (() => {
  const byPath = new Map(sources.map(source => [source.path, source]))
  const seen = new Set<string>()
  const visit = (path: string) => {
    const source = byPath.get(path)
    if (!source || seen.has(path)) return
    seen.add(path)
    for (const { target, typeOnly } of source.imports) if (target && !typeOnly) visit(target)
  }
  visit('client/entry.client.tsx')
  return [...seen].map(path => byPath.get(path) as Source)
})()

law(
  'what the browser loads needs no Node',
  importFaults(browserFiles, ({ specifier, typeOnly }) =>
    specifier.startsWith('node:') && !typeOnly ? 'a browser has no such module' : undefined,
  ),
)

law(
  'no barrels',
  sources
    .filter(({ path }) => /^index\./.test(basename(path)))
    .map(file => at(file, 1, 'import the file that holds it')),
)

law(
  'nothing is called utils, helpers or misc',
  sources
    .filter(({ path }) =>
      segments(path.slice(0, -extname(path).length)).some(word => /^(?:utils?|helpers?|misc|common|lib)$/.test(word)),
    )
    .map(file => at(file, 1, 'name it by its noun')),
)

law(
  'server has no JSX',
  inside('server')
    .filter(({ path }) => /x$/.test(extname(path)))
    .map(file => at(file, 1, 'Node strips types, it does not compile JSX')),
)

// Programs of server/cli stand outside the server: they start it, and need the environment npm gives them.
law(
  'only server/config.ts reads the environment',
  textFaults(
    inside('server', 'client', 'shared').filter(
      ({ path }) => path !== 'server/config.ts' && dirname(path) !== 'server/cli',
    ),
    /(?<!readConfig\()\bprocess\.env\b/g,
    'take it from the config',
  ),
)

law(
  'time and chance enter the server through their doors',
  textFaults(
    inside('server', 'shared').filter(
      ({ path }) => !/^server\/(?:clock|ids)\.ts$/.test(path) && !path.startsWith('server/cli/'),
    ),
    /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(\)/g,
    'take a Clock, or ids',
  ),
)

law(
  "Meta's words stay at Meta's door",
  textFaults(
    inside('server', 'client', 'shared').filter(({ path }) => !path.startsWith('server/whatsapp/')),
    /\bmessaging_product\b|\bbiz_opaque_callback_data\b/g,
    'only server/whatsapp knows the vendor',
  ),
)

/** What an organization's people see: whoever changes it says what happened. */
const eventfulTables =
  'message|reaction|conversation|contact|contact_identity|contact_tag|tag|notification|wa_connection|pending_effect'
/** Changes that are nobody's doing: rows that are past their time, and an organization that goes as a whole. */
const silentWrites = new Set(['deleteByIds', 'touchConnection', 'hideOrganization', 'deleteBite', 'deleteOrganization'])

law(
  'stores change what people see only through a write that tells of it',
  inside('server')
    .filter(({ path }) => !/^server\/(?:cli|auth|whatsapp\/sandbox)\//.test(path))
    .flatMap(file => {
      const changes = new RegExp(`\\b(?:insertInto|updateTable|deleteFrom)\\('(?:${eventfulTables})'\\)`)
      return file.code.split(/\n(?=(?:export )?(?:async )?(?:function|const) )/).flatMap(part => {
        const name = /(?:function|const) (\w+)/.exec(part)?.[1] ?? ''
        if (!changes.test(part) || /OrgDb|OrgWrite|bulkWrite/.test(part) || silentWrites.has(name)) return []
        return [at(file, lineOf(file.code, file.code.indexOf(part)), `${name} takes any connection: take an OrgDb`)]
      })
    }),
)

law('only the write function opens such a write, and only its listener tells open tabs', [
  ...textFaults(
    inside('server').filter(({ path }) => path !== 'server/events/writes.ts'),
    /\bas (?:unknown as )?OrgDb\b/g,
    'writes.run opens it',
  ),
  ...importFaults(
    inside('server').filter(({ path }) => !path.startsWith('server/live/') && path !== 'server/compose.ts'),
    ({ target }, file) =>
      target === 'server/live/hub.ts' && /\bLive(?:Log|Hub)\b/.test(file.code) ? 'emit a domain event' : undefined,
  ),
])
