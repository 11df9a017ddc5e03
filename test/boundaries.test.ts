import { readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import t from 'tap'
import {
  at,
  clientImports,
  type Fault,
  folderOf,
  foreignTables,
  importCircles,
  isStore,
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
  wordsOfEngine,
} from '#test/helpers/laws.ts'
import { permits } from '#test/helpers/permits.ts'
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

/** Areas come from folder names: a new one is guarded from birth, as the last test shows. */
const sources = listFiles(['server', 'client', 'shared', 'migrations'], /\.(ts|tsx|mts|mjs|js|jsx)$/).map(readSource)
const inside = (...zones: string[]) => sources.filter(({ path }) => zones.some(zone => path.startsWith(`${zone}/`)))
const segments = (path: string) => path.split('/')
const tableArea = tableAreaOf(sources)
const zoneOf = (path: string) => segments(path)[0] as string

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
  t.ok(sources.length > 20, 'the product is there')
})

/** Pure, the same on both sides: what schemas and numbers are written in. */
const purePackage = /^(?:typebox|libphonenumber-js|re2js)(?:\/|$)/

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
    const isPageArea = file.path.startsWith('server/web/') && zoneOf(target) === 'client'
    return isPageArea && (typeOnly || !target.endsWith('x')) ? undefined : 'server may import server and shared'
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
  'migrations import nothing but parts of migrations',
  importFaults(inside('migrations'), ({ target }) =>
    target?.startsWith('migrations/') === false ? 'a migration is frozen in time' : undefined,
  ),
)

law(
  "an area never imports another area's store or table",
  importFaults(
    inside('server').filter(({ path }) => !path.startsWith('server/cli/')),
    ({ target, typeOnly }, file) => {
      if (target === undefined || !isStore(target)) return undefined
      const owner = tableArea(target)
      if (owner === undefined || owner === tableArea(file.path)) return undefined
      const isSumOfTables = file.path === 'server/platform/db/db.ts' && typeOnly && target.endsWith('table.ts')
      return isSumOfTables
        ? undefined
        : `"${tableArea(file.path) ?? file.path}" asks the area "${owner}" by its service`
    },
  ),
)

law(
  "an area's SQL names its own tables, and others' only where the permits say why",
  foreignTables(sources, permits.tables),
)
law('SQL stands in stores', sqlOutsideStores(sources, permits.sql))
law('what only SQLite understands stands in its folder', wordsOfEngine('sqlite', sources, permits.sqlite))
law('what only PostgreSQL understands stands in its folder', wordsOfEngine('postgres', sources, permits.postgres))
law(
  'imports of the server go down its layers, and features do not import one another',
  upwardImports(sources, permits.upward),
)
law('no file imports itself by way of others, types included', importCircles(sources))
law(
  'imports of the client go down its layers, and pages do not import one another',
  clientImports(sources, permits.client),
)
for (const outside of ['network', 'timers', 'chance', 'time'] as const satisfies readonly OutsideSource[])
  law(`${outside}: only in the files that may read it`, outsideReads(outside, sources, permits[outside]))
law("Meta's codes mean something in server/whatsapp only", vendorCodes(sources, permits.vendorCodes))

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
  visit('client/app/entry.client.tsx')
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

/** Writes programs as text; runs none of them. */
const programsForReaders = 'server/web/reference/samples.ts'

// Programs of server/cli stand outside the server: they start it, and need the environment npm gives them.
law(
  'only server/platform/config/config.ts reads the environment',
  textFaults(
    inside('server', 'client', 'shared').filter(
      ({ path }) =>
        !['server/platform/config/config.ts', programsForReaders].includes(path) && dirname(path) !== 'server/cli',
    ),
    /(?<!readConfig\()\bprocess\.env\b/g,
    'take it from the config',
  ),
)

law('nothing runs a text as code, and only programs of the command line start others', [
  ...textFaults(
    // What the start does with it is the three letters `gc`.
    inside('server', 'client', 'shared').filter(({ path }) => path !== 'server/platform/process/startup-memory.ts'),
    /\beval\(|\bnew Function\(|'node:vm'/g,
    'a text stays a text',
  ),
  ...textFaults(
    inside('server').filter(({ path }) => dirname(path) !== 'server/cli'),
    /'node:child_process'|'node:cluster'/g,
    'the server starts no other program',
  ),
])

law(
  'old hashes stand where a standard asks for them, and where nothing depends on them',
  textFaults(
    // Ids that the simulator makes up; hashes as lists of leaked passwords have them.
    inside('server').filter(
      ({ path }) => !['server/identity/auth/passwords/leaked-passwords.ts', 'server/simulator/ids.ts'].includes(path),
    ),
    /create(?:Hash|Hmac)\('(?!sha256|sha512)\w+'|aes-\d+-(?!gcm)\w+'/g,
    'sha256, sha512 and AES with GCM',
  ),
)

law(
  'who is called by TLS shows who they are; only an address of PostgreSQL can say otherwise',
  textFaults(
    inside('server').filter(({ path }) => path !== 'server/platform/db/postgres/address.ts'),
    /\brejectUnauthorized\b|\bNODE_TLS_REJECT_UNAUTHORIZED\b|\bcheckServerIdentity\b/g,
    'certificates are looked at',
  ),
)

law(
  'the server says things in its log, and at its start only to whoever starts it',
  textFaults(
    inside('server').filter(
      ({ path }) => !['server/main.ts', programsForReaders].includes(path) && dirname(path) !== 'server/cli',
    ),
    /\bconsole\.\w+|\bprocess\.std(?:out|err)\b/g,
    'take the log',
  ),
)

law(
  "Meta's words stay in server/whatsapp",
  textFaults(
    // The simulator and the gateway speak Meta's API to programs.
    inside('server', 'client', 'shared').filter(
      ({ path }) => !/^server\/(?:whatsapp|simulator|features\/gateway)\//.test(path),
    ),
    /\bmessaging_product\b|\bbiz_opaque_callback_data\b/g,
    'only server/whatsapp knows the vendor',
  ),
)

law(
  'stores change what people see only through a write that tells of it',
  silentWrites(inside('server'), permits.silentTables, permits.silentWrites),
)

law('a verb is a promise: what finds throws nothing, what asks writes nothing', untrueVerbs(inside('server')))

t.test('a verb that is not true is found', async t => {
  const of = (code: string) => untrueVerbs([sourceOf('server/x/store.ts', code)])
  t.match(of('export async function findX(db: Db) {\n  throw new Error()\n}\n'), [/:1 what throws/])
  t.match(of("const mayX = (db: Db) =>\n  db\n    .deleteFrom('x')\n    .execute()\n"), [/:1 what writes/])
  t.same(
    of(
      "const findX = (db: Db) => db.selectFrom('x').executeTakeFirst()\n\nconst setX = () => {\n  throw new Error()\n}\n",
    ),
    [],
  )
})

/** What of a conversation may only be read by those who see it. */
const seenTables =
  'message|reaction|media|conversation|contact|contact_identity|contact_tag|notification|event|message_attempt'
const unscoped = unscopedReads(
  inside('server').filter(({ path }) => !/^server\/(?:cli|simulator)\//.test(path)),
  seenTables,
  permits.unscoped,
)
law('whoever reads conversations asks for whom', unscoped)

law(
  'only the areas that decide make a scope, and only the product itself sees all by itself',
  textFaults(
    inside('server').filter(
      ({ path }) =>
        !/^server\/(?:cli|identity\/visibility)\//.test(path) &&
        !permits.seesAll.some(({ where }) => where.includes(path)),
    ),
    /\b(?:seesAll|seesSome|scopeBy)\b(?=\()|\bseesAll\b/g,
    'take the scope of whoever asks',
  ),
)

t.test('a store that could change something in silence is found, in whatever table', async t => {
  const table = sourceOf('server/x/table.ts', 'export interface XTables {\n  x_row: XTable\n}\n')
  const store = (code: string) => [table, sourceOf('server/x/store.ts', code)]
  const silent = store("export const setX = (db: Db) => db.updateTable('x_row').set({ a: 1 }).execute()\n")
  t.match(silentWrites(silent, [], []), [/setX takes any connection/])
  t.match(silentWrites(store('const setX = (db: Db) => sql`update x_row set a = 1`.execute(db)\n'), [], []), [/setX/])
  t.same(silentWrites(store("const setX = (db: OrgDb) => db.updateTable('x_row').execute()\n"), [], []), [])
  t.same(silentWrites(silent, [{ tables: ['x_row'], why: '' }], []), [])
  t.same(silentWrites(silent, [], [{ file: 'server/x/store.ts', names: ['setX'], why: '' }]), [])
  t.match(silentWrites(silent, [{ tables: ['x_row', 'gone'], why: '' }], []), [/gone/])
})

t.test('a reader that forgets whom it reads for is found', async t => {
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
    'a permit that nothing needs is a fault',
  )
})

law('only the write function opens such a write, and only its listener tells open tabs', [
  ...textFaults(
    inside('server').filter(({ path }) => path !== 'server/platform/events/writes.ts'),
    /\bas (?:unknown as )?OrgDb\b/g,
    'writes.run opens it',
  ),
  ...importFaults(
    inside('server').filter(({ path }) => !path.startsWith('server/messaging/live/')),
    ({ target }, file) =>
      target === 'server/messaging/live/hub.ts' && /\bLive(?:Log|Hub)\b/.test(file.code)
        ? 'emit a domain event'
        : undefined,
  ),
])

/** The words that the glossary replaces. */
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
      ...(name ? [at(file, 1, `the glossary has another word for "${name}"`)] : []),
      ...[...withoutTexts(file.code).matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(({ 0: word, index }) =>
        replacedIn(word) ? [at(file, lineOf(file.code, index), `the glossary has another word for "${word}"`)] : [],
      ),
    ]
  })

law(
  'names use the words of the glossary',
  replacedFaults([...sources, ...listFiles(['test'], /\.(ts|tsx|mjs)$/).map(readSource), readSource('vite.config.ts')]),
)

t.test('a word the glossary replaces is found in names, not in texts and comments', async t => {
  t.ok(replacedWords.size > 5, 'the glossary lists them')
  const file = sourceOf('server/x/plain.ts', "// a door\nconst sideDoors = 'door'\n")
  t.same(replacedFaults([file]), ['server/x/plain.ts:2 the glossary has another word for "sideDoors"'])
  t.equal(replacedFaults([sourceOf('server/x/front-door.ts', '')]).length, 1)
})

/** Folders of a zone that the map in its README does not show; `public` holds files that are served as they are. */
const unmapped = (folders: readonly string[], readme: string): string[] => {
  const map = /```\n(\w+\/[\s\S]*?)```/.exec(readme)?.[1] ?? ''
  return folders.filter(folder => folder !== 'public' && !new RegExp(`(?:^|\\s)${folder}/`, 'm').test(map))
}

t.test('the maps in the READMEs of server and client show every folder', async t => {
  for (const zone of ['server', 'client'])
    t.same(
      unmapped(
        [...new Set(inside(zone).flatMap(({ path }) => folderOf(path) ?? []))],
        readFileSync(join(root, zone, 'README.md'), 'utf8'),
      ),
      [],
    )
  t.same(unmapped(['inbox', 'born'], '```\nclient/\n  inbox/\n```'), ['born'])
})

/** Pages of Meta's that server/whatsapp/README.md says the address of. */
const metaPages = new Set(
  [...readFileSync(join(root, 'server/whatsapp/README.md'), 'utf8').matchAll(/^\| ([A-Z][^|]+) \| `…/gm)].flatMap(
    ([, titles = '']) => titles.split(', '),
  ),
)

law(
  "whoever cites a page of Meta's cites one whose address is known",
  inside('server', 'client', 'shared').flatMap(file =>
    [...file.text.matchAll(/@see Meta\b([^\n]*)/g)].flatMap(({ 1: rest = '', index }) => {
      const [first] = /"([^"]+)"/.exec(rest)?.slice(1) ?? []
      const page = first?.split(' › ')[0]
      if (page !== undefined && metaPages.has(page)) return []
      return [at(file, lineOf(file.text, index), `list the page in server/whatsapp/README.md: ${rest.trim()}`)]
    }),
  ),
)

/** Loaded by a path: pages by their route, the rest by the build. */
const isLoadedByPath = ({ path }: Source) =>
  /^client\/.*page\.tsx$/.test(path) || ['client/app/entry.server.tsx', 'client/app/typebox-stub.ts'].includes(path)
const testSources = [...listFiles(['test'], /\.(ts|tsx)$/), 'vite.config.ts'].map(readSource)

law(
  'what a module exports is used by another, and not by tests alone',
  unusedExports(
    sources.filter(({ path }) => !path.startsWith('migrations/') && !path.endsWith('.d.mts')),
    testSources,
  ).filter(
    fault =>
      !sources.some(source => isLoadedByPath(source) && fault.startsWith(`${source.path}:`)) &&
      // The compiler alone reads it.
      !fault.includes('type PartsWithoutProvider'),
  ),
)

t.test('an export that nobody, or only a test, has a use for is found', async t => {
  const made = sourceOf(
    'server/x/made.ts',
    'export const used = 1\nexport const lone = 2\nexport const tried = 3\nexport const part = 4\nconst sum = part\n' +
      'export type Read = 1\nexport interface Own {}\nconst own: Own = sum\nexport type Lost = 2\n',
  )
  const user = sourceOf('server/x/user.ts', "import { type Read, used } from './made.ts'\n")
  const test = sourceOf('test/server/x/made.test.ts', "import { part, tried } from '#server/x/made.ts'\n")
  t.same(unusedExports([made, user], [test]), [
    'server/x/made.ts:2 lone is exported for nobody',
    'server/x/made.ts:3 tried is exported for tests only',
    'server/x/made.ts:9 type Lost is exported for nobody',
  ])
})

/** Packages that no source imports, and what they are for. */
const unimported: Readonly<Record<string, string>> = {
  '@emotion/styled': 'imported by @mui/material',
  '@fastify/http-proxy': 'for the numbers whose calls another server makes',
  '@biomejs/biome': 'a command',
  typescript: 'a command',
  'emojibase-data': 'read by vite.config.ts, which makes the picker’s chunks of it',
  'axe-core': 'read as text and put into the page',
}

t.test('every package of package.json is imported by something, or says what it is for', async t => {
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
    'nobody imports them',
  )
  t.same(
    Object.keys(unimported).filter(name => !names.includes(name)),
    [],
    'they are gone',
  )
})

t.test('an area that nobody has listed is guarded by every law', async t => {
  const born = (path: string, ...lines: string[]) => sourceOf(path, `${lines.join('\n')}\n`)
  const table = born(
    'server/features/bookings/table.ts',
    'export interface BookingTables {',
    '  booking: BookingTable',
    '}',
  )
  const service = (...lines: string[]) => [table, born('server/features/bookings/service.ts', ...lines)]
  const caught = (faults: readonly Fault[], where: string, name: string) => {
    t.equal(faults.length, 1, `${name} is one fault`)
    t.match(faults[0], where, name)
  }
  t.equal(ownersOf([table]).get('booking'), 'bookings')

  const foreign = born('server/features/stats/store.ts', "db.selectFrom(['booking as b', 'other'])")
  caught(foreignTables([table, foreign], []), 'server/features/stats/store.ts:1', 'a table in a list of tables')
  const joined = born(
    'server/features/stats/store.ts',
    "db.selectFrom('own')",
    "  .leftJoin('booking as b', 'b.id', 'own.id')",
  )
  caught(foreignTables([table, joined], []), 'server/features/stats/store.ts:2', 'a joined table')
  const raw = born('server/features/stats/store.ts', 'sql`delete from booking where 1`')
  caught(foreignTables([table, raw], []), 'server/features/stats/store.ts:1', 'a table in raw SQL')
  const own = born('server/features/bookings/store.ts', "db.selectFrom('booking')")
  t.same(foreignTables([table, own], []), [], 'its own tables are its own')

  const at2 = 'server/features/bookings/service.ts:2'
  caught(sqlOutsideStores(service('', "db.updateTable('booking')"), []), at2, 'SQL in a service')
  const upward = born('server/platform/jobs/late.ts', "import { x } from '#server/messaging/sending/sending.ts'")
  caught(upwardImports([upward], []), 'server/platform/jobs/late.ts:1', 'an import that goes up')
  const across = born('server/features/bookings/late.ts', "import type { X } from '../flows/engine.ts'")
  caught(upwardImports([across], []), 'server/features/bookings/late.ts:1', 'an import of another feature')
  const there = born('server/x/there.ts', "import type { Back } from './back.ts'")
  const back = born('server/x/back.ts', "import type { There } from './there.ts'")
  caught(importCircles([there, back]), 'server/x/there.ts:1', 'two files that import one another')
  const down = born('server/features/bookings/late.ts', "import { x } from '#server/messaging/sending/sending.ts'")
  t.same(upwardImports([down], []), [], 'an import that goes down')
  const page = [born('client/bookings/page.tsx', "import { Row } from '../shell/row.tsx'")]
  t.same(clientImports(page, []), [], 'a page imports what is around it')
  const below = [born('client/shell/row.tsx', "import { Page } from '../bookings/page.tsx'")]
  caught(clientImports(below, []), 'client/shell/row.tsx:1', 'an import of a page by what is around it')
  const other = [born('client/bookings/page.tsx', "import { x } from '../inbox/words.ts'")]
  caught(clientImports(other, []), 'client/bookings/page.tsx:1', 'a page that imports another')
  caught(outsideReads('network', service('', "await fetch('https://x')"), []), at2, 'a call of the network')
  caught(
    outsideReads('timers', service('', "import { setTimeout as pause } from 'node:timers/promises'"), []),
    at2,
    'a timer',
  )
  caught(outsideReads('chance', service('', "import { randomBytes } from 'node:crypto'"), []), at2, 'random bytes')
  caught(outsideReads('time', service('', 'const from = performance.now()'), []), at2, 'a running clock')
  caught(vendorCodes(service('', "if (code === '131047') return"), []), at2, "a code of Meta's")

  const permit = [{ where: ['server/features/bookings/'], why: 'shown here' }]
  t.same(sqlOutsideStores(service("db.updateTable('booking')"), permit), [], 'a permit lets through')
  t.match(sqlOutsideStores([table], permit), [/needs its permit/], 'a permit that nothing needs is a fault')
})
