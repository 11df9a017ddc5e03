/**
 * The laws of the source tree that a program can check. Each takes sources and returns the violations. An area is a
 * folder that the sources contain; a table belongs to the area whose `table.ts` declares it. Exceptions are in
 * `law-exceptions.ts`, and an exception that no source uses is a violation too.
 */
import { posix } from 'node:path'
import type {
  FileException,
  FunctionException,
  ImportException,
  SilentTables,
  TableException,
} from '#test/helpers/law-exceptions/exception.ts'
import type { lawExceptions } from '#test/helpers/law-exceptions.ts'
import { lineOf, type Source } from '#test/helpers/sources.ts'

export type LawExceptions = typeof lawExceptions

/** `path:line message`. */
export type Fault = string

export const at = ({ path }: Source, line: number, why: string): Fault => `${path}:${line} ${why}`

const segments = (path: string) => path.split('/')

/**
 * The layers of the server, lowest first. A file may import from its own layer and the layers below. Files outside of
 * the layers (`app.ts`, `features.ts`, `wiring.ts`, `main.ts`) may import everything.
 */
const layers: readonly string[] = [
  'platform',
  'whatsapp',
  'identity',
  'messaging',
  'features',
  'web',
  'simulator',
  'cli',
]
const layerOf = (path: string) => {
  const [zone, layer = '', ...rest] = segments(path)
  return zone === 'server' && rest.length > 0 ? layers.indexOf(layer) : -1
}

/**
 * The folders of `server/messaging/`, lowest first, as its README lists them. A file may import from its own folder and
 * from those before it. Files that lie beside the folders may import none of them.
 */
export const messagingFolders: readonly string[] = [
  'archive',
  'tags',
  'media',
  'templates',
  'search',
  'outbox',
  'conversations',
  'people',
  'assignment',
  'snoozes',
  'drafts',
  'directory',
  'messages',
  'notes',
  'imported',
  'live',
  'sending',
  'scheduled-messages',
  'contacts',
  'window-templates',
  'automation',
  'actions',
  'mirrored',
  'intake',
  'inbox',
]

/** Layers with a folder for each area: `server/features/flows/` is the area `flows`. */
const divided = ['platform', 'identity', 'messaging', 'features']

/**
 * The area of a file: the folder below a divided layer of the server, a layer that is not divided, or a folder of the
 * client. Undefined for files outside of these folders.
 */
export const folderOf = (path: string) => {
  const [zone, first, ...rest] = segments(path)
  if (rest.length === 0) return undefined
  return zone === 'server' && divided.includes(first ?? '') && rest.length > 1 ? rest[0] : first
}
const isIn = (path: string, ...zones: string[]) => zones.some(zone => path.startsWith(`${zone}/`))
/** Command-line programs are not part of the server: they start it, seed it and inspect it. */
const isServer = ({ path }: Source) => isIn(path, 'server') && !isIn(path, 'server/cli')

/** Whether a file may contain SQL and types of rows. */
export const isStore = (path: string) => /(?:^|[/-])(?:store|table)\.ts$/.test(path)

const matches = (source: Source, pattern: RegExp) =>
  [...source.code.matchAll(pattern)].map(match => ({ match, line: lineOf(source.code, match.index) }))

/** Whether the exception names the file or a folder around it. */
const isExempt = (path: string, { where }: FileException) =>
  where.some(one => (one.endsWith('/') ? path.startsWith(one) : path === one))

/** Matches of a pattern in files that no exception names. */
const onlyIn = (
  sources: readonly Source[],
  pattern: RegExp,
  list: readonly FileException[],
  why: string,
): { faults: Fault[]; unused: Fault[] } => {
  const found = sources.flatMap(source => matches(source, pattern).map(one => ({ ...one, source })))
  const used = new Set<string>()
  const faults = found.flatMap(({ source, match, line }) => {
    const exception = list.find(one => isExempt(source.path, one))
    if (!exception) return [at(source, line, `${match[0].trim()}: ${why}`)]
    used.add(exception.where.find(one => source.path.startsWith(one)) as string)
    return []
  })
  const unused = list
    .flatMap(({ where }) => where)
    .filter(where => !used.has(where))
    .map(where => `test/helpers/law-exceptions: delete the exception for ${where}, no source needs it`)
  return { faults, unused }
}

/** Functions that query these tables without the scope's condition from `visibility/condition.ts`. */
export const unscopedReads = (
  sources: readonly Source[],
  tables: string,
  list: readonly FunctionException[],
): Fault[] => {
  const reads = new RegExp(
    `\\.(?:selectFrom|innerJoin|crossJoin|leftJoin)\\(\\s*'(?:${tables})(?: as \\w+)?'|\\bselect(?:Shown|Rows|Core|Messages)\\(db\\)`,
  )
  const used = new Set<string>()
  const faults = sources.flatMap(source =>
    source.code.split(/\n(?=(?:export )?(?:async )?(?:function|const) )/).flatMap(part => {
      if (!reads.test(part) || /\bseen(?:Through|Or)?\(|\bshownTo\(/.test(part)) return []
      const name = /(?:function|const) (\w+)/.exec(part)?.[1] ?? ''
      if (list.some(({ file, names }) => file === source.path && names.includes(name))) {
        used.add(`${source.path} ${name}`)
        return []
      }
      const line = lineOf(source.code, source.code.indexOf(part))
      return [
        at(
          source,
          line,
          `${name} would return rows that the caller may not see: take a Viewer and add seen(scope), or give the reason in law-exceptions.ts`,
        ),
      ]
    }),
  )
  const unused = list
    .flatMap(({ file, names }) => names.map(name => `${file} ${name}`))
    .filter(one => !used.has(one))
    .map(one => `test/helpers/law-exceptions: delete the exception for ${one}, no source needs it`)
  return [...faults, ...unused]
}

const isTable = ({ path }: Source) => isIn(path, 'server') && /(?:^|[/-])table\.ts$/.test(path)

/**
 * The area whose tables a file may name in SQL: the folder below its layer, or the layer if that folder declares no
 * tables. Undefined if neither declares any.
 */
export const tableAreaOf = (sources: readonly Source[]) => {
  const declaring = new Set(sources.filter(isTable).map(({ path }) => posix.dirname(path)))
  return (path: string): string | undefined => {
    const [zone, layer, folder] = segments(path)
    return [`${zone}/${layer}/${folder}`, `${zone}/${layer}`]
      .filter(one => declaring.has(one))
      .map(one => posix.basename(one))[0]
  }
}

/** The area of each declared table. */
export const ownersOf = (sources: readonly Source[]): Map<string, string> => {
  const areaOf = tableAreaOf(sources)
  return new Map(
    sources
      .filter(isTable)
      .flatMap(({ path, code }) =>
        [...code.matchAll(/interface \w+Tables\b[^{]*\{([^}]*)\}/g)].flatMap(([, body = '']) =>
          [...body.matchAll(/^\s*(\w+):/gm)].map(([, table = '']): [string, string] => [
            table,
            areaOf(path) ?? folderOf(path) ?? path,
          ]),
        ),
      ),
  )
}

/**
 * Functions that change rows that open tabs show, without an event: they take any connection instead of the `OrgDb`
 * that `Writes` opens. A table counts as shown unless it is in `silentTables`.
 */
export const silentWrites = (
  sources: readonly Source[],
  tables: readonly SilentTables[],
  list: readonly FunctionException[],
): Fault[] => {
  const silent = new Set(tables.flatMap(one => one.tables))
  const owners = ownersOf(sources)
  const eventful = [...owners.keys()].filter(table => !silent.has(table)).join('|')
  const changes = new RegExp(
    `\\b(?:insertInto|updateTable|deleteFrom)\\('(?:${eventful})'\\)|\\b(?:insert into|update|delete from) (?:${eventful})\\b`,
  )
  const used = new Set<string>()
  const stores = sources.filter(
    one => isServer(one) && isStore(one.path) && !isIn(one.path, 'server/simulator', 'server/platform/db'),
  )
  const faults = stores.flatMap(source =>
    source.code.split(/\n(?=(?:export )?(?:async )?(?:function|const) )/).flatMap(part => {
      const name = /(?:function|const) (\w+)/.exec(part)?.[1] ?? ''
      if (!changes.test(part) || /OrgDb|OrgWrite|bulkWrite|hotWrite/.test(part)) return []
      if (list.some(({ file, names }) => file === source.path && names.includes(name))) {
        used.add(`${source.path} ${name}`)
        return []
      }
      return [
        at(
          source,
          lineOf(source.code, source.code.indexOf(part)),
          `${name} can write without an event, so open tabs would show old data: take an OrgDb`,
        ),
      ]
    }),
  )
  const unused = [
    ...list.flatMap(({ file, names }) => names.map(name => `${file} ${name}`)).filter(one => !used.has(one)),
    ...[...silent].filter(table => !owners.has(table)),
  ].map(one => `test/helpers/law-exceptions: delete the exception for ${one}, no source needs it`)
  return [...faults, ...unused]
}

const begins = /^(\s*)(?:export )?(?:async )?(?:function |const )?(find|list|is|has|may|can)[A-Z]\w*(?: = |\(|: )/

/**
 * Functions whose verb is wrong: `find…` must return undefined instead of throwing, and `find`, `list`, `is`, `has`,
 * `may` and `can` must not write.
 */
export const untrueVerbs = (sources: readonly Source[]): Fault[] =>
  sources.filter(isServer).flatMap(source => {
    const lines = source.code.split('\n')
    return lines.flatMap((line, i) => {
      const [, indent = '', verb] = begins.exec(line) ?? []
      if (verb === undefined) return []
      const next = lines.findIndex((other, j) => j > i && other.trim() !== '' && other.search(/\S/) <= indent.length)
      const body = lines.slice(i, next < 0 ? undefined : next + 1).join('\n')
      // A query with `countAll` always returns a row.
      const throws = verb === 'find' && /\bthrow \w|OrThrow\(/.test(body) && !/\bcountAll\b/.test(body)
      const writes = /\b(?:insertInto|updateTable|deleteFrom)\(/.test(body)
      return [
        ...(throws
          ? [
              at(
                source,
                i + 1,
                `it throws if there is no row, so callers cannot expect undefined: call it get…: ${line.trim()}`,
              ),
            ]
          : []),
        ...(writes
          ? [
              at(
                source,
                i + 1,
                `its name promises a read, but it writes: call it insert…, update…, delete… or mark…: ${line.trim()}`,
              ),
            ]
          : []),
      ]
    })
  })

const queryCalls =
  /\.(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto|using|from|innerJoin|crossJoin|leftJoin|rightJoin|fullJoin)\(\s*(?:\[([^\]]*)\]|('\w+(?: as \w+)?'))/g
const queryTexts = /\b(?:from|join|into|update)\s+"?(\w+)"?/g
const quotedNames = /'(\w+)(?: as \w+)?'/g

/** The tables that a source names in queries: in calls of Kysely and in SQL texts. */
const tablesIn = (source: Source) => [
  ...matches(source, queryCalls).flatMap(({ match, line }) =>
    [...(match[1] ?? match[2] ?? '').matchAll(quotedNames)].map(([, table = '']) => ({ table, line })),
  ),
  ...[...source.code.matchAll(/\bsql(?:<[^`]*>)?`([^`]*)`|\bprepare\(\s*['`]([^'`]*)/g)].flatMap(text =>
    [...(text[1] ?? text[2] ?? '').matchAll(queryTexts)].map(([, table = '']) => ({
      table,
      line: lineOf(source.code, text.index),
    })),
  ),
]

/** SQL that names tables of another area without an exception. */
export const foreignTables = (sources: readonly Source[], list: readonly TableException[]): Fault[] => {
  const owners = ownersOf(sources)
  const areaOf = tableAreaOf(sources)
  const used = new Set<string>()
  const faults = sources.filter(isServer).flatMap(source => {
    const area = areaOf(source.path) ?? folderOf(source.path) ?? source.path
    return tablesIn(source).flatMap(({ table, line }) => {
      const owner = owners.get(table)
      if (owner === undefined || owner === area) return []
      if (list.some(one => one.area === area && one.tables.includes(table))) {
        used.add(`${area} ${table}`)
        return []
      }
      return [
        at(
          source,
          line,
          `the table "${table}" belongs to the area "${owner}": call its service from "${area}", or give the reason in law-exceptions.ts`,
        ),
      ]
    })
  })
  const unused = list.flatMap(({ area, tables }) =>
    tables
      .filter(table => !used.has(`${area} ${table}`))
      .map(table => `test/helpers/law-exceptions: delete the exception of "${area}" for "${table}", no query needs it`),
  )
  return [...faults, ...unused]
}

export const sqlOutsideStores = (sources: readonly Source[], list: readonly FileException[]): Fault[] => {
  const { faults, unused } = onlyIn(
    sources.filter(source => isServer(source) && !isStore(source.path)),
    /\bsql[`<]|\bsql\.\w+[(`<]|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/g,
    list,
    'move the query to a file whose name ends with store.ts',
  )
  return [...faults, ...unused]
}

/** SQL, error codes and packages of one engine. */
const engineWords = {
  sqlite:
    /better-sqlite3|\bpragma\b(?!: 'no-cache')|\bbegin immediate\b|\bfts5\b|\bmatch \$|\bSQLITE_|\bsqlite_|\bstrftime\b|\browid\b|\bjson_(?:each|extract)\b|\btotal_changes\b/g,
  postgres: /\bfrom 'pg'|\bpg_[a-z]+\b|\btsvector\b|\b(?:to_)?tsquery\b|\bskip locked\b/g,
} as const
export type EngineName = keyof typeof engineWords

export const wordsOfEngine = (
  engine: EngineName,
  sources: readonly Source[],
  list: readonly FileException[],
): Fault[] => {
  const { faults, unused } = onlyIn(
    sources.filter(source => isServer(source) && !isIn(source.path, `server/platform/db/${engine}`)),
    engineWords[engine],
    list,
    `only ${engine} understands it; move it to server/platform/db/${engine}`,
  )
  return [...faults, ...unused]
}

const covers = (name: string, path: string) => (name.endsWith('/') ? path.startsWith(name) : path === name)
const unusedExceptions = (list: readonly ImportException[], used: ReadonlySet<ImportException>): Fault[] =>
  list
    .filter(one => !used.has(one))
    .map(
      ({ where, what }) =>
        `test/helpers/law-exceptions: delete the exception of ${where} for ${what}, no import needs it`,
    )

/** Imports in the server from a higher layer or from another feature, including type imports. */
export const upwardImports = (sources: readonly Source[], list: readonly ImportException[]): Fault[] => {
  const used = new Set<ImportException>()
  const faults = sources.flatMap(source => {
    const from = layerOf(source.path)
    if (from < 0) return []
    return source.imports.flatMap(({ target, line, specifier }) => {
      if (target === undefined || !isIn(target, 'server')) return []
      const to = layerOf(target)
      const isUp = to < 0 ? layers[from] !== 'cli' : to > from
      const isAcross = layers[from] === 'features' && to === from && folderOf(source.path) !== folderOf(target)
      if (!isUp && !isAcross) return []
      const exception = list.find(({ where, what }) => covers(where, source.path) && covers(what, target))
      if (exception) {
        used.add(exception)
        return []
      }
      return [
        at(
          source,
          line,
          `'${specifier}' is in ${isUp ? 'a higher layer' : 'another feature'}: pass it in from server/wiring.ts, or move it to a lower layer`,
        ),
      ]
    })
  })
  return [...faults, ...unusedExceptions(list, used)]
}

/** Imports between folders of `server/messaging/` against their order, and folders that have no place in it. */
export const messagingImports = (sources: readonly Source[]): Fault[] => {
  const placeOf = (path: string) => {
    const [zone, layer, folder = '', ...rest] = segments(path)
    if (zone !== 'server' || layer !== 'messaging') return undefined
    return rest.length > 0 ? messagingFolders.indexOf(folder) : 'beside'
  }
  return sources.flatMap(source => {
    const from = placeOf(source.path)
    if (from === undefined) return []
    if (from === -1) return [at(source, 1, 'its folder has no place: add it to messagingFolders and the README')]
    return source.imports.flatMap(({ target, line, specifier }) => {
      const to = target === undefined ? undefined : placeOf(target)
      if (typeof to !== 'number' || (from !== 'beside' && to <= from)) return []
      return [
        at(
          source,
          line,
          `'${specifier}' is in a higher folder of messaging: move it down, emit an event, or pass it in`,
        ),
      ]
    })
  })
}

/** Files that import one another in a cycle, including type imports. Each cycle is one violation. */
export const importCircles = (sources: readonly Source[]): Fault[] => {
  const bySource = new Map(sources.map(source => [source.path, source]))
  const places = new Map<string, { readonly at: number; lowest: number }>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (path: string) => {
    const place = { at: places.size, lowest: places.size }
    places.set(path, place)
    open.push(path)
    for (const { target } of bySource.get(path)?.imports ?? []) {
      if (target === undefined || !bySource.has(target)) continue
      const known = places.get(target)
      if (!known) place.lowest = Math.min(place.lowest, visit(target))
      else if (open.includes(target)) place.lowest = Math.min(place.lowest, known.at)
    }
    if (place.lowest === place.at) {
      const circle = open.splice(open.indexOf(path))
      if (circle.length > 1) circles.push(circle)
    }
    return place.lowest
  }
  for (const { path } of sources) if (!places.has(path)) visit(path)
  return circles.map(
    circle =>
      `${circle[0]}:1 imports itself through ${circle.slice(1).join(', ')}: move what they share to a file of its own`,
  )
}

/**
 * The layers of the client, lowest first. Every folder that is not listed contains a page. Pages must not import one
 * another.
 */
const clientLayers: readonly (readonly string[])[] = [
  ['app', 'ui', 'live'],
  ['shell', 'palette', 'notifications'],
  [
    'contact-fields',
    'erasures',
    'incoming-hooks',
    'integrations',
    'orgs',
    'outgoing-webhooks',
    'programs',
    'ready-answers',
    'scheduled-messages',
    'segments',
    'tags',
    'templates',
  ],
]
const clientLayerOf = (folder: string) => {
  const layer = clientLayers.findIndex(folders => folders.includes(folder))
  return layer < 0 ? clientLayers.length : layer
}

/** Imports in the client from a higher layer or from another page, except those in `list`. */
export const clientImports = (sources: readonly Source[], list: readonly ImportException[]): Fault[] => {
  const used = new Set<ImportException>()
  const faults = sources.flatMap(source => {
    const from = folderOf(source.path)
    return source.imports.flatMap(({ target, line, specifier }) => {
      const to = target === undefined ? undefined : folderOf(target)
      if (from === undefined || to === undefined || from === to) return []
      if (!isIn(source.path, 'client') || !isIn(target ?? '', 'client')) return []
      const isUp = clientLayerOf(to) > clientLayerOf(from)
      const isAcross = clientLayerOf(from) === clientLayers.length && clientLayerOf(to) === clientLayers.length
      if (!isUp && !isAcross) return []
      const exception = list.find(one => covers(one.where, source.path) && covers(one.what, target ?? ''))
      if (exception) {
        used.add(exception)
        return []
      }
      return [
        at(source, line, `'${specifier}' is in ${isUp ? 'a higher layer' : 'another page'}: move it to a lower layer`),
      ]
    })
  })
  return [...faults, ...unusedExceptions(list, used)]
}

/** Calls that only listed files may make, because they make tests depend on the machine, the clock or the network. */
const outsideSources = {
  network: {
    of: /(?<![.\w])fetch\((?!\s*\w+:)|\bglobalThis\.fetch\b|from 'undici'|new XMLHttpRequest/g,
    why: 'call through a file that is listed under network in law-exceptions.ts',
  },
  timers: {
    of: /\bsetTimeout\b|\bsetInterval\b/g,
    why: 'a timer is lost in a restart: use a job, or give the reason in law-exceptions.ts',
  },
  chance: {
    of: /\bMath\.random\b|\bcrypto\.randomUUID\b|\bgetRandomValues\b|\brandom\w+(?=[^'\n]*\} from '(?:node:)?crypto')/g,
    why: 'use server/platform/crypto/random.ts, so that tests can replace it',
  },
  time: {
    of: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.(?:now|timeOrigin)\b|\bprocess\.hrtime\b/g,
    why: 'use server/platform/time/clock.ts, so that tests can replace it',
  },
} as const

export type OutsideSource = keyof typeof outsideSources

export const outsideReads = (
  outside: OutsideSource,
  sources: readonly Source[],
  list: readonly FileException[],
): Fault[] => {
  const { of, why } = outsideSources[outside]
  const { faults, unused } = onlyIn(
    sources.filter(source => isServer(source) || isIn(source.path, 'client', 'shared')),
    of,
    list,
    why,
  )
  return [...faults, ...unused]
}

/** Numeric codes of Meta, as strings and as numbers. */
export const vendorCodes = (sources: readonly Source[], list: readonly FileException[]): Fault[] => {
  const { faults, unused } = onlyIn(
    sources.filter(
      ({ path }) =>
        isIn(path, 'server', 'client', 'shared') && !isIn(path, 'server/whatsapp', 'server/simulator', 'server/cli'),
    ),
    /['"`](?:13\d{4}|1900?|2\d{6}|368|613|800\d\d|130\d{3}|10[0-4]|33|803)['"`]|\b13[0-8]\d{3}\b|\bcodeError\(\d+|\bGraphError\(\{ code: \d+/g,
    list,
    'ask server/whatsapp what the code means, or use its name in server/whatsapp/serving/codes.ts',
  )
  return [...faults, ...unused]
}

/**
 * Meta's words for statuses, ratings and categories. `shared/templates/words.ts` names and translates them; the API's
 * answers, the stored columns and the keys of texts keep them.
 */
export const vendorWords = (sources: readonly Source[], list: readonly FileException[]): Fault[] => {
  const { faults, unused } = onlyIn(
    sources.filter(
      ({ path }) =>
        isIn(path, 'server', 'client', 'shared') &&
        !isIn(path, 'server/whatsapp', 'server/simulator', 'server/features/gateway', 'server/cli'),
    ),
    /'(?:APPROVED|PENDING|IN_APPEAL|REJECTED|PAUSED|DISABLED|FLAGGED|GREEN|YELLOW|RED|MARKETING|UTILITY|AUTHENTICATION)'|\bTIER_\d/g,
    list,
    'ask shared/templates/words.ts or server/whatsapp what it means',
  )
  return [...faults, ...unused]
}

const importedNames = /\b(?:import|export)\s+(?:type\s+)?([\w*\s{},$]+?)\s+from\s+'([^']+)'/g
const exportedValues = /^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm
const exportedTypes = /^export (?:type|interface) (\w+)/gm
const wordOf = (name: string) => new RegExp(`\\b${name}\\b`, 'g')

/**
 * Exported values that no module imports, or only tests import although the module itself does not use them either.
 * Exported types that no module and no test imports. Modules that are imported as a whole, or loaded by path, are not
 * checked.
 */
export const unusedExports = (sources: readonly Source[], tests: readonly Source[]): Fault[] => {
  const isWhole = new Set<string>()
  const named = (list: readonly Source[]) => {
    const names = new Map<string, Set<string>>()
    for (const { code, imports } of list) {
      for (const { target, specifier } of imports)
        if (target && new RegExp(`import\\(\\s*'${specifier.replaceAll('.', '\\.')}'`).test(code)) isWhole.add(target)
      const targetBy = new Map(imports.map(({ specifier, target }) => [specifier, target]))
      for (const [, what = '', specifier = ''] of code.matchAll(importedNames)) {
        const target = targetBy.get(specifier)
        if (target === undefined) continue
        if (what.includes('*')) isWhole.add(target)
        const known = names.get(target) ?? new Set<string>()
        for (const [word] of what.matchAll(/[\w$]+/g)) known.add(word)
        names.set(target, known)
      }
    }
    return names
  }
  const byProduct = named(sources)
  const byTests = named(tests)
  const isImported = ({ path }: Source, name: string) =>
    isWhole.has(path) || byProduct.get(path)?.has(name) || byTests.get(path)?.has(name)
  const types = sources.flatMap(source =>
    [...source.code.matchAll(exportedTypes)].flatMap(({ 1: name = '', index }) => {
      if (isImported(source, name)) return []
      const isUsed = [...source.code.matchAll(wordOf(name))].length > 1
      return [
        at(
          source,
          lineOf(source.code, index),
          `type ${name} is ${isUsed ? 'used in its own file only: delete its export' : 'not used: delete it'}`,
        ),
      ]
    }),
  )
  const values = sources.flatMap(source =>
    [...source.code.matchAll(exportedValues)].flatMap(({ 1: name = '', index }) => {
      if (isWhole.has(source.path) || byProduct.get(source.path)?.has(name)) return []
      const isTested = byTests.get(source.path)?.has(name) ?? false
      if (isTested && [...source.code.matchAll(wordOf(name))].length > 1) return []
      return [
        at(
          source,
          lineOf(source.code, index),
          `${name} is ${isTested ? 'used by tests only: delete it' : 'not imported: delete it or its export'}`,
        ),
      ]
    }),
  )
  return [...values, ...types]
}
