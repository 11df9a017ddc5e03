import { readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import t from 'tap'
import { lawExceptions } from '#test/helpers/law-exceptions.ts'
import {
  at,
  clientImports,
  type Fault,
  folderOf,
  foreignTables,
  importCircles,
  isStore,
  messagingImports,
  type OutsideSource,
  outsideReads,
  ownersOf,
  silentWrites,
  sqlOutsideStores,
  tableAreaOf,
  unscopedReads,
  untrueVerbs,
  unusedExports,
  upwardImports,
  vendorCodes,
  vendorWords,
  wordsOfEngine,
} from '#test/helpers/laws.ts'
import {
  type Import,
  lineOf,
  listFiles,
  readImports,
  readSource,
  root,
  type Source,
  sourceOf,
} from '#test/helpers/sources.ts'

/** Areas are found by their folders, so the laws apply to a new area without listing it (see the last test). */
const sources = listFiles(['server', 'client', 'shared', 'migrations'], /\.(ts|tsx|mts|mjs|js|jsx)$/).map(readSource)
const inside = (...zones: string[]) => sources.filter(({ path }) => zones.some(zone => path.startsWith(`${zone}/`)))
const segments = (path: string) => path.split('/')
const tableArea = tableAreaOf(sources)
const zoneOf = (path: string) => segments(path)[0] as string

const importFaults = (files: readonly Source[], judge: (found: Import, file: Source) => string | undefined): Fault[] =>
  files.flatMap(file =>
    file.imports.flatMap(found => {
      const why = judge(found, file)
      return why ? [at(file, found.line, `'${found.specifier}': ${why}`)] : []
    }),
  )

const textFaults = (files: readonly Source[], pattern: RegExp, why: string): Fault[] =>
  files.flatMap(file =>
    [...file.code.matchAll(pattern)].map(match =>
      at(file, lineOf(file.code, match.index), `${match[0].trim()}: ${why}`),
    ),
  )

const law = (name: string, faults: readonly Fault[]) =>
  t.test(name, async t => {
    for (const fault of faults) t.fail(fault)
    if (faults.length === 0) t.pass(name)
  })

t.test('readImports finds every form of import', async t => {
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
    readImports('server/area/x.ts', code).map(({ line, target, specifier, typeOnly }) => [
      line,
      target ?? specifier,
      typeOnly,
    ]),
    [
      [1, 'a', false],
      [2, 'server/area/b.ts', true],
      [5, 'server/c.ts', false],
      [6, 'server/d.ts', false],
      [7, 'e', false],
      [8, 'server/area/f.ts', false],
    ],
  )
  t.ok(sources.length > 20, 'sources are found')
})

/** Packages that run in the browser and in Node: schemas, phone numbers, regular expressions. */
const purePackage = /^(?:typebox|libphonenumber-js|re2js)(?:\/|$)/

law(
  'shared imports only shared and packages that run in the browser and in Node',
  importFaults(inside('shared'), ({ target, specifier }) => {
    if (target !== undefined)
      return zoneOf(target) === 'shared'
        ? undefined
        : 'browser and server load shared, so it may import shared only: move the code to shared or pass it in'
    return purePackage.test(specifier)
      ? undefined
      : 'shared may import only typebox, libphonenumber-js and re2js, which run in the browser too'
  }),
)

law(
  'client imports client and shared, not the server',
  importFaults(inside('client'), ({ target }) =>
    target === undefined || ['client', 'shared', 'locales'].includes(zoneOf(target))
      ? undefined
      : 'the browser would load server code: move what both need to shared',
  ),
)

law(
  'server imports server and shared; only server/web imports from the client, and no JSX',
  importFaults(inside('server'), ({ target, typeOnly }, file) => {
    if (target === undefined || ['server', 'shared', 'locales'].includes(zoneOf(target))) return undefined
    const isPageArea = file.path.startsWith('server/web/') && zoneOf(target) === 'client'
    return isPageArea && (typeOnly || !target.endsWith('x'))
      ? undefined
      : 'the server may import server and shared: move what both need to shared'
  }),
)

law(
  'only server/web and the build refer to the built pages',
  textFaults(
    inside('server').filter(({ path }) => !path.startsWith('server/web/') && !path.startsWith('server/cli/')),
    /entry\.(?:server|client)|dist\/(?:client|server)/g,
    'only server/web serves the built client: ask it',
  ),
)

law(
  'migrations import only migrations',
  importFaults(inside('migrations'), ({ target }) =>
    target?.startsWith('migrations/') === false
      ? 'a later change of that module would change an old migration: copy what it needs'
      : undefined,
  ),
)

law(
  "an area does not import another area's store or table",
  importFaults(
    inside('server').filter(({ path }) => !path.startsWith('server/cli/')),
    ({ target, typeOnly }, file) => {
      if (target === undefined || !isStore(target)) return undefined
      const owner = tableArea(target)
      if (owner === undefined || owner === tableArea(file.path)) return undefined
      const isSumOfTables = file.path === 'server/platform/db/db.ts' && typeOnly && target.endsWith('table.ts')
      return isSumOfTables
        ? undefined
        : `"${tableArea(file.path) ?? file.path}" must not depend on rows of "${owner}": call the service of "${owner}"`
    },
  ),
)

law(
  "an area's SQL names only its own tables, except where law-exceptions.ts gives the reason",
  foreignTables(sources, lawExceptions.tables),
)
law('SQL is in stores only', sqlOutsideStores(sources, lawExceptions.sql))
law('SQL that only SQLite understands is in its folder', wordsOfEngine('sqlite', sources, lawExceptions.sqlite))
law('SQL that only PostgreSQL understands is in its folder', wordsOfEngine('postgres', sources, lawExceptions.postgres))
law(
  'server modules import from lower layers only, and features do not import one another',
  upwardImports(sources, lawExceptions.upward),
)
law('folders of server/messaging import from lower ones only', messagingImports(sources))
law('no import cycles, not even of types', importCircles(sources))
law(
  'client modules import from lower layers only, and pages do not import one another',
  clientImports(sources, lawExceptions.client),
)
for (const outside of ['network', 'timers', 'chance', 'time'] as const satisfies readonly OutsideSource[])
  law(
    `${outside}: only files listed in law-exceptions.ts use it`,
    outsideReads(outside, sources, lawExceptions[outside]),
  )
law("only server/whatsapp interprets Meta's codes", vendorCodes(sources, lawExceptions.vendorCodes))
law(
  "Meta's statuses, ratings and categories are translated in one place",
  vendorWords(sources, lawExceptions.vendorWords),
)

/** The files that the browser loads, found by following the imports of its entry. */
const browserFiles = (() => {
  const byPath = new Map(sources.map(source => [source.path, source]))
  const seen = new Set<string>()
  const visit = (path: string) => {
    const source = byPath.get(path)
    if (!source || seen.has(path)) return
    seen.add(path)
    for (const { target, typeOnly } of source.imports) if (target && !typeOnly) visit(target)
  }
  visit('client/app/entry.client.tsx')
  return [...seen].map(path => byPath.get(path) as Source)
})()

law(
  'files that the browser loads import no Node modules',
  importFaults(browserFiles, ({ specifier, typeOnly }) =>
    specifier.startsWith('node:') && !typeOnly
      ? 'the page would fail to load, because browsers have no such module: move the import to the server'
      : undefined,
  ),
)

/** `kindOf` of a file and `kindOf` of a webhook read alike where they are called: `fileKind`, `webhookKind`. */
const exportsOf = Map.groupBy(
  inside('server', 'client', 'shared').flatMap(file =>
    [...file.code.matchAll(/^export (?:async )?(?:const|function\*?) (\w+Of)\b/gm)].map(match => ({
      file,
      name: match[1] as string,
      line: lineOf(file.code, match.index),
    })),
  ),
  ({ name }) => name,
)
law(
  'no two files export the same name that ends in Of',
  [...exportsOf.values()].flatMap(([first, ...others]) =>
    others.map(({ file, name, line }) =>
      at(file, line, `${name}: ${first?.file.path} exports another one: say in the name what it returns of what`),
    ),
  ),
)

/** The feature folder in which a file lies: `server/features/flows`, `client/inbox`. */
const homeOf = (path: string) => {
  const folder = folderOf(path)
  return folder === undefined ? zoneOf(path) : path.slice(0, path.indexOf(`/${folder}/`) + folder.length + 1)
}
law(
  'imports are relative within a feature folder, and begin with # across',
  importFaults(inside('server', 'client', 'shared'), ({ target, specifier }, file) => {
    if (target === undefined || !['server', 'client', 'shared'].includes(zoneOf(target))) return undefined
    const isNear = homeOf(target) === homeOf(file.path)
    if (isNear === specifier.startsWith('.')) return undefined
    return isNear ? 'it is in the same folder: import it relatively' : `write #${target}`
  }),
)

law(
  'no barrels',
  sources
    .filter(({ path }) => /^index\./.test(basename(path)))
    .map(file => at(file, 1, 'delete the barrel and import each file directly')),
)

law(
  'nothing is called utils, helpers or misc',
  sources
    .filter(({ path }) =>
      segments(path.slice(0, -extname(path).length)).some(word => /^(?:utils?|helpers?|misc|common|lib)$/.test(word)),
    )
    .map(file => at(file, 1, 'name the file after what it holds')),
)

law(
  'server has no JSX',
  inside('server')
    .filter(({ path }) => /x$/.test(extname(path)))
    .map(file => at(file, 1, 'Node cannot run JSX, it only strips types: move the component to client')),
)

/** Prints example programs as text and runs none of them. */
const programsForReaders = 'server/web/reference/samples.ts'

// Programs of server/cli start the server, and need the environment that npm passes to them.
law(
  'only server/platform/config/config.ts reads the environment',
  textFaults(
    inside('server', 'client', 'shared').filter(
      ({ path }) =>
        !['server/platform/config/config.ts', programsForReaders].includes(path) && dirname(path) !== 'server/cli',
    ),
    /(?<!readConfig\()\bprocess\.env\b/g,
    'settings are checked once, in config.ts: read them there and pass them on',
  ),
)

law('no code runs a string as code, and only command-line programs start processes', [
  ...textFaults(
    // It uses `vm` once to get V8's `gc` function.
    inside('server', 'client', 'shared').filter(({ path }) => path !== 'server/platform/process/startup-memory.ts'),
    /\beval\(|\bnew Function\(|'node:vm'/g,
    'a string from outside could run: parse it instead',
  ),
  ...textFaults(
    inside('server').filter(({ path }) => dirname(path) !== 'server/cli'),
    /'node:child_process'|'node:cluster'/g,
    'an attacker could pass arguments to it: the server starts no processes',
  ),
])

law(
  'weak hashes are used only where a standard requires them and security does not depend on them',
  textFaults(
    // Ids that the simulator makes up; SHA-1, by which lists of leaked passwords are sorted.
    inside('server').filter(
      ({ path }) => !['server/identity/auth/passwords/leaked-passwords.ts', 'server/simulator/ids.ts'].includes(path),
    ),
    /create(?:Hash|Hmac)\('(?!sha256|sha512)\w+'|aes-\d+-(?!gcm)\w+'/g,
    'use sha256, sha512, or AES in GCM mode',
  ),
)

law(
  'TLS certificates are verified; only the connection URL of PostgreSQL can turn that off',
  textFaults(
    inside('server').filter(({ path }) => path !== 'server/platform/db/postgres/address.ts'),
    /\brejectUnauthorized\b|\bNODE_TLS_REJECT_UNAUTHORIZED\b|\bcheckServerIdentity\b/g,
    'anybody on the network path could answer: keep certificate checks on',
  ),
)

law(
  'the server writes to its log only, and to the terminal only at startup',
  textFaults(
    inside('server').filter(
      ({ path }) => !['server/main.ts', programsForReaders].includes(path) && dirname(path) !== 'server/cli',
    ),
    /\bconsole\.\w+|\bprocess\.std(?:out|err)\b/g,
    'operators would miss it: use the log',
  ),
)

law(
  "field names of Meta's API are used in server/whatsapp only",
  textFaults(
    // The simulator and the gateway serve Meta's API.
    inside('server', 'client', 'shared').filter(
      ({ path }) => !/^server\/(?:whatsapp|simulator|features\/gateway)\//.test(path),
    ),
    /\bmessaging_product\b|\bbiz_opaque_callback_data\b/g,
    'a change of the API would reach this file: build the request in server/whatsapp',
  ),
)

law(
  'stores change rows that open tabs show only in a write that emits events',
  silentWrites(inside('server'), lawExceptions.silentTables, lawExceptions.silentWrites),
)

law('find… does not throw; find…, list…, is…, has…, may… and can… do not write', untrueVerbs(inside('server')))

t.test('a name with a wrong verb is found', async t => {
  const of = (code: string) => untrueVerbs([sourceOf('server/x/store.ts', code)])
  t.match(of('export async function findX(db: Db) {\n  throw new Error()\n}\n'), [/:1 it throws if there is no row/])
  t.match(of("const mayX = (db: Db) =>\n  db\n    .deleteFrom('x')\n    .execute()\n"), [/:1 its name promises a read/])
  t.same(
    of(
      "const findX = (db: Db) => db.selectFrom('x').executeTakeFirst()\n\nconst setX = () => {\n  throw new Error()\n}\n",
    ),
    [],
  )
})

/** Tables whose rows only members who see the conversation may read. */
const seenTables =
  'message|reaction|media|conversation|contact|contact_identity|contact_tag|notification|event|message_attempt'
const unscoped = unscopedReads(
  inside('server').filter(({ path }) => !/^server\/(?:cli|simulator)\//.test(path)),
  seenTables,
  lawExceptions.unscoped,
)
law('queries of conversations include the scope of the viewer', unscoped)

law(
  'only server/identity/visibility makes scopes, and only background work reads without one',
  textFaults(
    inside('server').filter(
      ({ path }) =>
        !/^server\/(?:cli|identity\/visibility)\//.test(path) &&
        !lawExceptions.seesAll.some(({ where }) => where.includes(path)),
    ),
    /\b(?:seesAll|seesSome|scopeBy)\b(?=\()|\bseesAll\b/g,
    "it would return conversations that the caller may not see: use the caller's scope",
  ),
)

t.test('a store that writes without an event is found, in any table', async t => {
  const table = sourceOf('server/x/table.ts', 'export interface XTables {\n  x_row: XTable\n}\n')
  const store = (code: string) => [table, sourceOf('server/x/store.ts', code)]
  const silent = store("export const setX = (db: Db) => db.updateTable('x_row').set({ a: 1 }).execute()\n")
  t.match(silentWrites(silent, [], []), [/setX can write without an event/])
  t.match(silentWrites(store('const setX = (db: Db) => sql`update x_row set a = 1`.execute(db)\n'), [], []), [/setX/])
  t.same(silentWrites(store("const setX = (db: OrgDb) => db.updateTable('x_row').execute()\n"), [], []), [])
  t.same(silentWrites(silent, [{ tables: ['x_row'], why: '' }], []), [])
  t.same(silentWrites(silent, [], [{ file: 'server/x/store.ts', names: ['setX'], why: '' }]), [])
  t.match(silentWrites(silent, [{ tables: ['x_row', 'gone'], why: '' }], []), [/gone/])
})

t.test('a query without the scope of the viewer is found', async t => {
  const forgets = sourceOf(
    'server/x/store.ts',
    "export const listX = (db: Db) => db.selectFrom('conversation').selectAll()\n",
  )
  t.match(unscopedReads([forgets], seenTables, []), [/listX/])
  const asks = sourceOf(
    'server/x/store.ts',
    "export const listX = (db: Db, { scope }: Viewer) => db.selectFrom('conversation').where(seen(scope))\n",
  )
  t.same(unscopedReads([asks], seenTables, []), [])
  t.match(
    unscopedReads([asks], seenTables, [{ file: 'server/x/store.ts', names: ['gone'], why: '' }]),
    [/gone/],
    'an unused exception is a violation',
  )
})

law('only writes.run opens an OrgDb, and only live updates publish to open tabs', [
  ...textFaults(
    inside('server').filter(({ path }) => path !== 'server/platform/events/writes.ts'),
    /\bas (?:unknown as )?OrgDb\b/g,
    'its changes would emit no event: use writes.run',
  ),
  ...importFaults(
    inside('server').filter(({ path }) => !path.startsWith('server/messaging/live/')),
    ({ target }, file) =>
      target === 'server/messaging/live/hub.ts' && /\bLive(?:Log|Hub)\b/.test(file.code)
        ? 'open tabs get updates from domain events only: emit one'
        : undefined,
  ),
])

/** The words that the glossary forbids in names. */
const replacedWords = new Set(
  [
    ...(
      /\| Not \| But \|\n\|[-|]+\n((?:\|.*\n)*)/.exec(
        readFileSync(join(root, 'server/docs/glossary.md'), 'utf8'),
      )?.[1] ?? ''
    ).matchAll(/^\| ([^|]+) \|/gm),
  ].flatMap(([, words = '']) => words.split(', ')),
)
const wordsOf = (name: string) => name.split(/(?=[A-Z])|[^A-Za-z]+/).map(word => word.toLowerCase())
const replacedIn = (name: string) => wordsOf(name).find(word => replacedWords.has(word))
const withoutTexts = (code: string) =>
  code.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, text => ' '.repeat(text.length))
const replacedFaults = (files: readonly Source[]): Fault[] =>
  files.flatMap(file => {
    const name = replacedIn(file.path)
    return [
      ...(name ? [at(file, 1, `rename "${name}", server/docs/glossary.md has another word for it`)] : []),
      ...[...withoutTexts(file.code).matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(({ 0: word, index }) =>
        replacedIn(word)
          ? [at(file, lineOf(file.code, index), `rename "${word}", server/docs/glossary.md has another word for it`)]
          : [],
      ),
    ]
  })

law(
  'names use the words of the glossary',
  replacedFaults([...sources, ...listFiles(['test'], /\.(ts|tsx|mjs)$/).map(readSource), readSource('vite.config.ts')]),
)

t.test('a word that the glossary forbids is found in names, not in strings and comments', async t => {
  t.ok(replacedWords.size > 5, 'the glossary was read')
  const file = sourceOf('server/x/plain.ts', "// a door\nconst sideDoors = 'door'\n")
  t.same(replacedFaults([file]), [
    'server/x/plain.ts:2 rename "sideDoors", server/docs/glossary.md has another word for it',
  ])
  t.equal(replacedFaults([sourceOf('server/x/front-door.ts', '')]).length, 1)
})

/** Folders that the map in a document does not show. `public` is left out: its files are served as they are. */
const unmapped = (folders: readonly string[], text: string): string[] => {
  const map = /```\n(\w+\/[\s\S]*?)```/.exec(text)?.[1] ?? ''
  return folders.filter(folder => folder !== 'public' && !new RegExp(`(?:^|\\s)${folder}/`, 'm').test(map))
}

t.test('the maps of server and client show every folder', async t => {
  for (const [zone, document] of [
    ['server', 'server/docs/architecture.md'],
    ['client', 'client/README.md'],
  ] as const)
    t.same(
      unmapped(
        [...new Set(inside(zone).flatMap(({ path }) => folderOf(path) ?? []))],
        readFileSync(join(root, document), 'utf8'),
      ),
      [],
    )
  t.same(unmapped(['inbox', 'born'], '```\nclient/\n  inbox/\n```'), ['born'])
})

/** Titles of Meta's pages whose address is in server/whatsapp/README.md. */
const metaPages = new Set(
  [...readFileSync(join(root, 'server/whatsapp/README.md'), 'utf8').matchAll(/^\| ([A-Z][^|]+) \| `…/gm)].flatMap(
    ([, titles = '']) => titles.split(', '),
  ),
)

law(
  'every cited page of Meta has its address in server/whatsapp/README.md',
  inside('server', 'client', 'shared').flatMap(file =>
    [...file.text.matchAll(/@see Meta\b([^\n]*)/g)].flatMap(({ 1: rest = '', index }) => {
      const [first] = /"([^"]+)"/.exec(rest)?.slice(1) ?? []
      const page = first?.split(' › ')[0]
      if (page !== undefined && metaPages.has(page)) return []
      return [
        at(
          file,
          lineOf(file.text, index),
          `readers could not find the page: add it to server/whatsapp/README.md: ${rest.trim()}`,
        ),
      ]
    }),
  ),
)

/** Files that no module imports: the router loads pages, the build the others. */
const isLoadedByPath = ({ path }: Source) =>
  /^client\/.*page\.tsx$/.test(path) ||
  ['client/app/entry.server.tsx', 'client/app/calls/typebox-stub.ts'].includes(path)
const testSources = [...listFiles(['test'], /\.(ts|tsx)$/), 'vite.config.ts'].map(readSource)

law(
  'every export is used by another module, and values not only by tests',
  unusedExports(
    sources.filter(({ path }) => !path.startsWith('migrations/') && !path.endsWith('.d.mts')),
    testSources,
  ).filter(
    fault =>
      !sources.some(source => isLoadedByPath(source) && fault.startsWith(`${source.path}:`)) &&
      // The compiler alone reads the first; features extend the second with `declare module`.
      !/type (?:PartsWithoutProvider|FeatureFacts) /.test(fault),
  ),
)

t.test('an export that nothing, or only a test, uses is found', async t => {
  const made = sourceOf(
    'server/x/made.ts',
    'export const used = 1\nexport const lone = 2\nexport const tried = 3\nexport const part = 4\nconst sum = part\n' +
      'export type Read = 1\nexport interface Own {}\nconst own: Own = sum\nexport type Lost = 2\n',
  )
  const user = sourceOf('server/x/user.ts', "import { type Read, used } from './made.ts'\n")
  const test = sourceOf('test/server/x/made.test.ts', "import { part, tried } from '#server/x/made.ts'\n")
  t.same(unusedExports([made, user], [test]), [
    'server/x/made.ts:2 lone is not imported: delete it or its export',
    'server/x/made.ts:3 tried is used by tests only: delete it',
    'server/x/made.ts:7 type Own is used in its own file only: delete its export',
    'server/x/made.ts:9 type Lost is not used: delete it',
  ])
})

/** Packages that no source imports, with the reason why they are installed. */
const unimported: Readonly<Record<string, string>> = {
  '@emotion/styled': '@mui/material imports it',
  '@fastify/http-proxy': 'forwards the calls of numbers that another server handles',
  '@biomejs/biome': 'a command',
  typescript: 'a command',
  'emojibase-data': 'vite.config.ts builds the emoji picker’s data from it',
  'axe-core': 'stories inject its file into the page',
}

t.test('every package of package.json is imported, or listed here with a reason', async t => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
    devDependencies: Record<string, string>
  }
  const texts = [...sources, ...testSources, ...listFiles(['test'], /\.mjs$/).map(readSource)]
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter(name => !name.startsWith('@types/'))
  const named = (name: string) => new RegExp(`['"\`]${name.replaceAll('.', '\\.')}(?:/[^'"\`]*)?['"\`]`)
  const known = new Set(names.filter(name => texts.some(({ code }) => named(name).test(code))))
  t.same(
    names.filter(name => !known.has(name) && !unimported[name]),
    [],
    'no source imports them: remove them from package.json, or give the reason in `unimported`',
  )
  t.same(
    Object.keys(unimported).filter(name => !names.includes(name)),
    [],
    'not in package.json: remove them from `unimported`',
  )
})

t.test('every law applies to an area that is listed nowhere', async t => {
  const born = (path: string, ...lines: string[]) => sourceOf(path, `${lines.join('\n')}\n`)
  const table = born(
    'server/features/bookings/table.ts',
    'export interface BookingTables {',
    '  booking: BookingTable',
    '}',
  )
  const service = (...lines: string[]) => [table, born('server/features/bookings/service.ts', ...lines)]
  const caught = (faults: readonly Fault[], where: string, name: string) => {
    t.equal(faults.length, 1, `${name} is one violation`)
    t.match(faults[0], where, name)
  }
  t.equal(ownersOf([table]).get('booking'), 'bookings')

  const foreign = born('server/features/stats/store.ts', "db.selectFrom(['booking as b', 'other'])")
  caught(foreignTables([table, foreign], []), 'server/features/stats/store.ts:1', 'a table in an array of tables')
  const joined = born(
    'server/features/stats/store.ts',
    "db.selectFrom('own')",
    "  .leftJoin('booking as b', 'b.id', 'own.id')",
  )
  caught(foreignTables([table, joined], []), 'server/features/stats/store.ts:2', 'a joined table')
  const raw = born('server/features/stats/store.ts', 'sql`delete from booking where 1`')
  caught(foreignTables([table, raw], []), 'server/features/stats/store.ts:1', 'a table in raw SQL')
  const own = born('server/features/bookings/store.ts', "db.selectFrom('booking')")
  t.same(foreignTables([table, own], []), [], 'an area may name its own tables')

  const at2 = 'server/features/bookings/service.ts:2'
  caught(sqlOutsideStores(service('', "db.updateTable('booking')"), []), at2, 'SQL in a service')
  const upward = born('server/platform/jobs/late.ts', "import { x } from '#server/messaging/sending/sending.ts'")
  caught(upwardImports([upward], []), 'server/platform/jobs/late.ts:1', 'an import from a higher layer')
  const across = born('server/features/bookings/late.ts', "import type { X } from '../flows/engine.ts'")
  caught(upwardImports([across], []), 'server/features/bookings/late.ts:1', 'an import of another feature')
  const early = born('server/messaging/outbox/late.ts', "import type { X } from '../sending/sending.ts'")
  caught(messagingImports([early]), 'server/messaging/outbox/late.ts:1', 'an import from a higher folder of messaging')
  const beside = born('server/messaging/late.ts', "import { x } from './tags/tags.ts'")
  caught(messagingImports([beside]), 'server/messaging/late.ts:1', 'an import by a file beside the folders')
  caught(
    messagingImports([born('server/messaging/born/x.ts')]),
    'server/messaging/born/x.ts:1',
    'a folder without place',
  )
  const ordered = born('server/messaging/sending/late.ts', "import { x } from '../outbox/outbox.ts'")
  t.same(messagingImports([ordered]), [], 'an import from a lower folder of messaging')
  const there = born('server/x/there.ts', "import type { Back } from './back.ts'")
  const back = born('server/x/back.ts', "import type { There } from './there.ts'")
  caught(importCircles([there, back]), 'server/x/there.ts:1', 'an import cycle of two files')
  const down = born('server/features/bookings/late.ts', "import { x } from '#server/messaging/sending/sending.ts'")
  t.same(upwardImports([down], []), [], 'an import from a lower layer')
  const page = [born('client/bookings/page.tsx', "import { Row } from '../shell/row.tsx'")]
  t.same(clientImports(page, []), [], 'a page imports from the shell')
  const below = [born('client/shell/row.tsx', "import { Page } from '../bookings/page.tsx'")]
  caught(clientImports(below, []), 'client/shell/row.tsx:1', 'an import of a page by the shell')
  const other = [born('client/bookings/page.tsx', "import { x } from '../inbox/words.ts'")]
  caught(clientImports(other, []), 'client/bookings/page.tsx:1', 'an import of another page')
  caught(outsideReads('network', service('', "await fetch('https://x')"), []), at2, 'a network request')
  caught(
    outsideReads('timers', service('', "import { setTimeout as pause } from 'node:timers/promises'"), []),
    at2,
    'a timer',
  )
  caught(outsideReads('chance', service('', "import { randomBytes } from 'node:crypto'"), []), at2, 'random bytes')
  caught(outsideReads('time', service('', 'const from = performance.now()'), []), at2, 'a clock')
  caught(vendorCodes(service('', "if (code === '131047') return"), []), at2, 'a code of Meta')
  caught(vendorCodes(service('', 'throw codeError(100)'), []), at2, 'a code of Meta as a number')

  caught(vendorWords(service('', "if (status === 'APPROVED') return"), []), at2, 'a status of Meta')
  const shown = born('client/bookings/page.tsx', "const isGood = quality === 'GREEN'")
  caught(vendorWords([shown], []), 'client/bookings/page.tsx:1', 'a rating of Meta in a page')

  const exception = [{ where: ['server/features/bookings/'], why: 'a reason' }]
  t.same(sqlOutsideStores(service("db.updateTable('booking')"), exception), [], 'an exception is respected')
  t.match(sqlOutsideStores([table], exception), [/no source needs it/], 'an unused exception is a violation')
})
