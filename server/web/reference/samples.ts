import type { DescribedCall } from '#server/platform/http/described-calls.ts'
import { type CallExample, isJson } from '#server/platform/http/plugins/openapi-example.ts'

export const sampleLanguages = ['curl', 'javascript', 'python'] as const
type SampleLanguage = (typeof sampleLanguages)[number]

/** The request of a sample. A header's value may be a variable of the environment, behind a fixed text. */
export interface SampleRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly { readonly name: string; readonly text: string; readonly variable?: string }[]
  /** JSON, or the name of a file with the bytes. */
  readonly body?: { readonly json: unknown } | { readonly file: string }
  /** The answer has no end, or is no text. */
  readonly answer: 'text' | 'bytes' | 'stream'
}

type Credential = SampleRequest['headers'][number]
const credentialOf = ({ access, takesKeys }: DescribedCall): Credential[] => {
  if (access === 'signature') return [{ name: 'x-hub-signature-256', text: 'sha256=', variable: 'SIGNATURE' }]
  if (access === 'graphToken') return [{ name: 'authorization', text: 'Bearer ', variable: 'TOKEN' }]
  if (access === 'anyone' || access === 'verifyToken' || access === 'address') return []
  return [
    takesKeys ? { name: 'x-api-key', text: '', variable: 'KEY' } : { name: 'cookie', text: '', variable: 'COOKIE' },
  ]
}

const answerOf = ({ replyType }: DescribedCall): SampleRequest['answer'] => {
  if (replyType === 'text/event-stream') return 'stream'
  return isJson(replyType) || replyType?.startsWith('text/') ? 'text' : 'bytes'
}

/** The address of a call with its example's values. */
const addressOf = (call: DescribedCall, example: CallExample): string => {
  const path = call.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(example.params[name] ?? '')))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(example.query))
    for (const one of [value].flat()) query.append(name, String(one))
  return `${path}${query.size ? `?${query}` : ''}`
}

/** The request of a call's example. `base`: the address of the product, without a slash at its end. */
export const sampleRequest = (call: DescribedCall, example: CallExample, base: string): SampleRequest => {
  const type = call.bodyType ?? 'application/json'
  const sends = example.body !== undefined
  return {
    method: call.method,
    url: `${base}${addressOf(call, example)}`,
    headers: [...credentialOf(call), ...(sends ? [{ name: 'content-type', text: type }] : [])],
    ...(sends ? { body: isJson(type) ? { json: example.body } : { file: 'file' } } : {}),
    answer: answerOf(call),
  }
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curlOf = ({ method, url, headers, body, answer }: SampleRequest): string => {
  const quiet = answer === 'stream' ? ' -N' : ''
  const parts = [
    `curl${quiet}${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(url)}`,
    ...headers.map(({ name, text, variable }) =>
      variable ? `-H "${name}: ${text}$${variable}"` : `-H ${shellQuoted(`${name}: ${text}`)}`,
    ),
    ...(body
      ? ['json' in body ? `-d ${shellQuoted(JSON.stringify(body.json, null, 2))}` : `--data-binary @${body.file}`]
      : []),
    ...(answer === 'bytes' ? ['-o answer'] : []),
  ]
  return parts.join(' \\\n  ')
}

const indented = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`)

const jsQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const javascriptOf = ({ method, url, headers, body, answer }: SampleRequest): string => {
  const headerLines = headers.map(({ name, text, variable }) => {
    const value = variable
      ? text
        ? `\`${text}\${process.env.${variable}}\``
        : `process.env.${variable}`
      : jsQuoted(text)
    return `    ${/^\w+$/.test(name) ? name : jsQuoted(name)}: ${value},`
  })
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${jsQuoted(method)},`]),
    ...(headers.length ? ['  headers: {', ...headerLines, '  },'] : []),
    ...(body
      ? [
          'json' in body
            ? `  body: JSON.stringify(${indented(JSON.stringify(body.json, null, 2), 2)}),`
            : `  body: await readFile(${jsQuoted(body.file)}),`,
        ]
      : []),
  ]
  const files = [...(body && 'file' in body ? ['readFile'] : []), ...(answer === 'bytes' ? ['writeFile'] : [])]
  const reading = {
    text: ['console.log(response.status, await response.text())'],
    bytes: ["await writeFile('answer', Buffer.from(await response.arrayBuffer()))"],
    stream: ['for await (const part of response.body) process.stdout.write(part)'],
  }[answer]
  return [
    ...(files.length ? [`import { ${files.join(', ')} } from 'node:fs/promises'`, ''] : []),
    options.length
      ? `const response = await fetch(${jsQuoted(url)}, {`
      : `const response = await fetch(${jsQuoted(url)})`,
    ...(options.length ? [...options, '})'] : []),
    ...reading,
  ].join('\n')
}

/** JSON as Python writes it. */
const pythonValue = (value: unknown, depth = 0): string => {
  const pad = '    '.repeat(depth + 1)
  const end = `\n${'    '.repeat(depth)}`
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value))
    return value.length ? `[${value.map(one => `\n${pad}${pythonValue(one, depth + 1)},`).join('')}${end}]` : '[]'
  if (typeof value === 'object') {
    const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
    if (!fields.length) return '{}'
    return `{${fields.map(([name, inner]) => `\n${pad}${JSON.stringify(name)}: ${pythonValue(inner, depth + 1)},`).join('')}${end}}`
  }
  return JSON.stringify(value)
}

const pythonOf = ({ method, url, headers, body, answer }: SampleRequest): string => {
  const takesEnvironment = headers.some(({ variable }) => variable)
  const isJsonBody = body && 'json' in body
  const imports = [...(isJsonBody ? ['json'] : []), ...(takesEnvironment ? ['os'] : []), 'urllib.request']
  const headerLines = headers.map(({ name, text, variable }) => {
    const value = variable
      ? `${text ? `${JSON.stringify(text)} + ` : ''}os.environ["${variable}"]`
      : JSON.stringify(text)
    return `        ${JSON.stringify(name)}: ${value},`
  })
  const reading = {
    text: ['    print(response.status, response.read().decode())'],
    bytes: ['    open("answer", "wb").write(response.read())'],
    stream: ['    for line in response:', '        print(line.decode(), end="")'],
  }[answer]
  return [
    `import ${imports.join(', ')}`,
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    ...(headers.length ? ['    headers={', ...headerLines, '    },'] : []),
    ...(body
      ? [
          isJsonBody
            ? `    data=json.dumps(${pythonValue(body.json, 1)}).encode(),`
            : `    data=open(${JSON.stringify(body.file)}, "rb").read(),`,
        ]
      : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    ...reading,
  ].join('\n')
}

const writers: Readonly<Record<SampleLanguage, (request: SampleRequest) => string>> = {
  curl: curlOf,
  javascript: javascriptOf,
  python: pythonOf,
}

/** The program that makes a request, as it can be copied and run: KEY and the like come from the environment. */
export const requestSample = (language: SampleLanguage, request: SampleRequest): string => writers[language](request)
