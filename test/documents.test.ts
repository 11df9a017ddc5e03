/**
 * Checks that everything the documents name exists: links, paths, commands, environment variables, calls, labels and
 * numbers. It also checks their wording.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { readConfig } from '#server/platform/config/config.ts'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'
import { rowLimits } from '#server/platform/db/row-limits-store.ts'
import { auditKeptDays } from '#shared/audit/api.ts'
import { hookCallsPerMinute } from '#shared/flows/triggers/hooks.ts'
import { messagingFolders } from '#test/helpers/laws.ts'
import { listFiles, root } from '#test/helpers/sources.ts'
import { fragmentsIn, mannerismsIn, questionsIn } from '#test/helpers/wording.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

const documents = ['README.md', ...listFiles(['server', 'client', 'test'], /\.md$/)].map(path => ({
  path,
  text: read(path),
  /** The text without code blocks. */
  prose: read(path).replace(/^```[\s\S]*?^```/gm, ''),
}))
const documentOf = (path: string) => {
  const found = documents.find(one => one.path === path)
  if (!found) throw new Error(`there is no ${path}`)
  return found
}
const files = listFiles(['server', 'client', 'shared', 'migrations', 'locales', 'test'], /./)

/** The anchors of headings, as GitHub and the manual make them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

t.test('every relative link leads to a file, and every anchor to a heading', async t => {
  for (const { path, prose } of documents)
    for (const [, address = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?:|\/)/.test(address)) continue
      const [file = '', anchor] = address.split('#')
      const target = file ? join(dirname(path), file) : path
      const exists = existsSync(join(root, target))
      if (!exists) t.fail(`${path}: there is no ${target}`)
      else if (anchor && !anchorsOf(read(target)).includes(anchor))
        t.fail(`${path}: ${target} has no heading #${anchor}`)
    }
  t.pass()
})

/** Texts between backticks that look like paths: `server/x.ts`, `test/e2e`, `notes.ts`. */
const pathsIn = (prose: string): string[] =>
  [...prose.matchAll(/`([\w@.-]+(?:\/[\w@.-]+)*\/?)`/g)]
    .map(([, name = '']) => name)
    // `shared/NAME/api.ts` stands for any feature.
    .filter(name => !/\bNAME\b/.test(name))
    .filter(
      name =>
        /^(?:server|client|shared|migrations|locales|test|node_modules)\//.test(name) ||
        /\.(?:tsx?|mjs|css)$/.test(name),
    )

t.test('every path between backticks is a file or a folder', async t => {
  for (const { path, prose } of documents) {
    if (path === 'test/asvs.md') continue
    for (const name of pathsIn(prose)) {
      const isWhole = existsSync(join(root, name)) || existsSync(join(root, dirname(path), name))
      const isNamedAlone = /\.\w+$/.test(name) && files.some(file => file.endsWith(`/${name}`))
      if (!isWhole && !isNamedAlone) t.fail(`${path}: there is no ${name}`)
    }
  }
  t.same(pathsIn('See `server/gone.ts`, `gone.ts` and `Gone`.'), ['server/gone.ts', 'gone.ts'], 'paths are found')
})

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

t.test('every npm command exists, and README lists every one', async t => {
  const named = (text: string) =>
    [...text.matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(([, script, builtIn]) => script ?? builtIn ?? '')
  for (const { path, text } of documents)
    for (const script of named(text)) if (!scripts[script]) t.fail(`${path}: there is no npm run ${script}`)
  const listed = new Set(named(documentOf('README.md').text))
  t.same(
    Object.keys(scripts).filter(script => !listed.has(script)),
    [],
  )
})

/** `| `NAME`, `OTHER` | default | …` */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+) \| (.+?) \|/gm)].map(([, names = '', byDefault = '']) => ({
    names: [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    byDefault,
  }))

t.test('the environment variables of the documents are those that the code reads', async t => {
  const config = read('server/platform/config/config.ts')
  const inCode = new Set([...config.matchAll(/(?:text|url|oneOf)\('([A-Z_]+)'/g)].map(([, name = '']) => name))
  const inTable = rowsOf(documentOf('server/docs/operate.md').text).flatMap(({ names }) => names)
  t.same(inTable.toSorted(), [...inCode].sort())
  const ofTests = listFiles(['test'], /\.(?:ts|mjs)$/)
    .map(read)
    .join('\n')
  for (const { path, prose } of documents)
    for (const [, name = ''] of prose.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g))
      if (!inCode.has(name) && !new RegExp(`process\\.env\\.${name}\\b|['"\`]${name}['"\`]`).test(ofTests + config))
        t.fail(`${path}: nothing reads ${name}`)
})

t.test('their defaults are those of the code', async t => {
  const { host, port, signup, graph, snapshots, filesQuotaBytes, logLevel, sandbox, publicUrl } = readConfig({})
  const gigabytes = `${Number(filesQuotaBytes) / 2 ** 30}GB`
  const expected: Record<string, string> = {
    HOST: `\`${host}\`, \`${port}\``,
    PUBLIC_URL: `\`${publicUrl.replace(String(port), 'PORT')}\``,
    SIGNUP: `\`${signup}\``,
    GRAPH_URL: `\`${graph.url}\`, \`${graph.version}\``,
    SANDBOX: `\`${sandbox ? 'on' : 'off'}\``,
    SNAPSHOTS: `\`${snapshots}\``,
    FILES_QUOTA: `\`${gigabytes}\``,
    LOG_LEVEL: `\`${logLevel}\``,
  }
  for (const path of ['README.md', 'server/docs/operate.md'])
    for (const { names, byDefault } of rowsOf(documentOf(path).text)) {
      const code = expected[names[0] ?? '']
      if (code !== undefined) t.equal(byDefault, code, `${path}: ${names[0]}`)
    }
})

t.test("the settings of PostgreSQL's address are known, with their defaults", async t => {
  const { text } = documentOf('server/docs/postgres.md')
  const { address } = readPostgresUrl('postgres://u:p@host/db')
  const defaults: Record<string, unknown> = {
    pool: address?.pool,
    schema: address?.schema,
    sslmode: address?.ssl === false ? 'disable' : undefined,
    connect_timeout: Number(address?.connectTimeoutMs) / 1000,
    statement_timeout: Number(address?.statementTimeoutMs) / 1000,
    idle_timeout: Number(address?.idleTimeoutMs) / 1000,
  }
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('`', ''),
  ])
  t.equal(rows.length, 7)
  for (const [name = '', value] of rows) {
    const { faults } = readPostgresUrl(`postgres://u:p@host/db?${name}=zz`)
    t.notMatch(faults.join(), /there is no such setting/, name)
    if (name in defaults) t.equal(value, String(defaults[name]), name)
  }
})

t.test('calls that the documents name are served', async t => {
  const calls = [...read('test/snapshots/api.txt').matchAll(/^([A-Z]+) +(\S+)/gm)].map(([, method, url = '']) => ({
    method,
    url: url.replace(/:\w+/g, '{}'),
  }))
  for (const { path, text } of documents) {
    if (!/^(?:README|server\/docs)/.test(path)) continue
    for (const [, method, address = ''] of text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}.-]+)/g)) {
      const url = address.replace(/\{\w+\}/g, '{}')
      if (address.endsWith('/') || calls.some(call => call.method === method && call.url === url)) continue
      t.fail(`${path}: ${method} ${address} is not served`)
    }
  }
  t.pass()
})

/** All texts of a language's files, however deep. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsIn)
const texts = new Set(listFiles(['locales/en'], /\.json$/).flatMap(path => textsIn(JSON.parse(read(path)))))

/** Labels of other programs, by the document that writes them in italics. */
const foreignLabels: Readonly<Record<string, readonly string[]>> = {
  // Meta's pages.
  'README.md': [
    ...['Business', 'Business settings', 'System users', 'Generate token', 'API setup', 'App settings', 'Basic'],
    ...['Configuration', 'Webhook'],
  ],
  'server/docs/operate.md': ['Pwned Passwords'],
  // n8n, Pabbly, Make and Zapier.
  'server/docs/recipes.md': [
    ...['Webhook', 'If', 'HTTP Request', 'Import from file', 'Message arrived', 'Header Auth', 'Production URL'],
    ...['Answer', 'Custom webhook', 'Google Sheets', 'Add a row', 'HTTP', 'Make a request', 'Raw', 'Shopify'],
    ...['JSON (application/json)', 'Immediately as data arrives', 'Updated order', 'Webhooks by Zapier'],
    ...['Custom Request', 'Catch Hook', 'Data'],
  ],
}

/** `*Label*` and `*Page › Label*`; italics that begin with a small letter stress a word. */
const labelsIn = (prose: string): string[] =>
  [...prose.replace(/`[^`\n]*`/g, '').matchAll(/(?<![*\w])\*(?![*\s])([^*]+)\*(?![*\w])/g)]
    .flatMap(([, label = '']) => label.replace(/\s+/g, ' ').split(/ [›→] /))
    .filter(label => /^\p{Lu}/u.test(label))

t.test('labels that the documents write in italics are on the pages', async t => {
  for (const { path, prose } of documents) {
    // In the glossary italics are words of its rows.
    if (!/^(?:README|server\/(?:docs|decisions)\/)/.test(path) || path === 'server/docs/glossary.md') continue
    const foreign = foreignLabels[path] ?? []
    const labels = labelsIn(prose)
    for (const label of labels)
      if (!foreign.includes(label) && !texts.has(label)) t.fail(`${path}: no page has the label "${label}"`)
    for (const label of foreign) if (!labels.includes(label)) t.fail(`${path} no longer has the label "${label}"`)
  }
  t.same(labelsIn('*A › Be\nc* `*D*` **Bold** *stressed* a*b*c'), ['A', 'Be c'], 'labels are found')
})

t.test('every payload is listed with its origin, and has no number that could be a customer', async t => {
  const folder = 'test/fixtures/whatsapp/'
  const names = listFiles([folder.slice(0, -1)], /\.json$/).map(path => path.slice(folder.length, -'.json'.length))
  const rows = documentOf('test/fixtures/README.md').text.split('## Payloads of WhatsApp')[1] ?? ''
  const listed = [...rows.matchAll(/^\| [^|]+ \| ([\w/, -]+) \|$/gm)].flatMap(([, cell = '']) => cell.split(', '))
  t.same(
    listed.filter((name, i) => name !== 'Payloads' && (!names.includes(name) || listed.indexOf(name) !== i)),
    [],
    'each is there, and stands once',
  )
  t.same(
    names.filter(name => !listed.includes(name) && !listed.includes(name.replace(/^standby-/, ''))),
    [],
  )
  /** 555 and four digits, counting up or down, or Meta's own. */
  const invented = /555\D?\d{4}$|(?:12345678|98765432|16315551181|16505|61555822107539)$/
  const numbers = /"(?:wa_id|from|to|phone|phone_number|display_phone_number|recipient_id|requester)": ?"([+\d][^"]*)"/g
  t.same(
    names.flatMap(name =>
      [...read(`${folder}${name}.json`).matchAll(numbers)].flatMap(([, number = '']) =>
        invented.test(number) ? [] : [`${name}: ${number}`],
      ),
    ),
    [],
    'a number may be a real one',
  )
})

t.test('the table of messaging shows its folders in the order of their imports', async t => {
  const table = documentOf('server/messaging/README.md').text
  t.same(
    [...table.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(([, folder]) => folder),
    messagingFolders,
  )
  const folders = readdirSync(join(root, 'server/messaging'), { withFileTypes: true }).filter(one => one.isDirectory())
  t.same(folders.map(({ name }) => name).sort(), messagingFolders.toSorted())
})

t.test('benchmarks that the figures name exist', async t => {
  const names = readdirSync(join(root, 'test/bench')).flatMap(name => name.match(/^(\w+)\.bench\.ts$/)?.[1] ?? [])
  const rows = [...documentOf('test/bench/README.md').text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
  t.ok(rows.length > 20)
  t.same(
    [...new Set(rows)].filter(name => !names.includes(name)),
    [],
  )
})

const thousands = (count: number) => count.toLocaleString('en-US')
const constantOf = (path: string, pattern: RegExp): number => Number(pattern.exec(read(path))?.[1]?.replaceAll('_', ''))

t.test('numbers that the documents name are those of the code', async t => {
  const limits =
    /reads: (?<reads>[\d_]+), writes: (?<writes>[\d_]+), accountWrites: (?<account>[\d_]+), writesOfOrg: (?<org>[\d_]+)/.exec(
      read('server/platform/http/plugins/rate-limit.ts'),
    )?.groups as Record<string, string>
  const numberOf = (name: string) => thousands(Number(limits[name]?.replaceAll('_', '')))
  const claims: readonly [document: string, sentence: string][] = [
    [
      'server/docs/operate.md',
      `${thousands(rowLimits.contacts)} contacts, ${thousands(rowLimits.notes)} notes, ${thousands(rowLimits.bulk_send)} bulk sends, ${thousands(rowLimits.template)} templates and ${thousands(rowLimits.flow_version)} versions`,
    ],
    [
      'server/docs/api.md',
      `${numberOf('reads')} reads, ${numberOf('writes')} writes and ${numberOf('account')} calls about the account`,
    ],
    ['server/docs/api.md', `${numberOf('org')} writes for an organization`],
    ['server/docs/api.md', `at most ${hookCallsPerMinute} times a minute`],
    ['server/docs/security.md', `for ${auditKeptDays} days`],
    [
      'server/docs/postgres.md',
      `${constantOf('server/platform/jobs/workers/workers.ts', /leaseMs = ([\d_]+)/) === 50_000 ? 'fifty' : '?'} seconds`,
    ],
    [
      'server/docs/postgres.md',
      `${constantOf('server/platform/http/plugins/rate-limit.ts', /unreportedShare = 1 \/ (\d+)/) === 4 ? 'a quarter' : '?'} of a minute's budget`,
    ],
    [
      'server/decisions/0012-webhooks-stored-first.md',
      `about ${thousands(constantOf('server/messaging/intake/backlog.ts', /maxWaiting = ([\d_]+)/))} messages`,
    ],
    [
      'server/decisions/0011-yield-long-work.md',
      `${constantOf('server/platform/work/loop-turn.ts', /longTurnMs = (\d+)/)} ms (${constantOf('server/platform/work/loop-turn.ts', /longBulkTurnMs = (\d+)/)} ms for bulk sends)`,
    ],
  ]
  for (const [document, sentence] of claims)
    t.ok(documentOf(document).text.replace(/\s+/g, ' ').includes(sentence), `${document} says "${sentence}"`)
})

t.test('README stays short enough to be read', async t => {
  t.ok(documentOf('README.md').text.split('\n').length <= 250)
})

t.test('the documents need no decoding', async t => {
  for (const { path, prose } of documents) {
    if (path === 'test/asvs.md') continue
    for (const { phrase, instead } of mannerismsIn(prose)) t.fail(`${path}: "${phrase}", say ${instead}`)
  }
  t.same(
    mannerismsIn('Plain.\nWhoever reads `the house` reads anew.').map(({ line, phrase }) => [line, phrase]),
    [
      [2, 'whoever'],
      [2, 'anew'],
    ],
  )
})

t.test('docstrings are sentences with a subject', async t => {
  for (const path of files.filter(one => /\.(?:tsx?|mjs)$/.test(one) && one !== 'test/documents.test.ts')) {
    const text = readFileSync(join(root, path), 'utf8')
    const isProduct = /^(?:server|client|shared)\//.test(path)
    for (const { line, phrase, instead } of [...fragmentsIn(text), ...(isProduct ? questionsIn(text) : [])])
      t.fail(`${path}:${line}: "${phrase} …" leaves open what it is about: write ${instead}`)
  }
  t.same(
    fragmentsIn('/** The file. */\n/** Of the file. */\n/**\n * Likewise for others.\n */').map(({ line, phrase }) => [
      line,
      phrase,
    ]),
    [
      [2, '/** Of'],
      [3, '/** Likewise'],
    ],
  )
  t.same(
    questionsIn('/** How many rows. */\n/** However. */').map(({ line, phrase }) => [line, phrase]),
    [[1, '/** How']],
  )
})
