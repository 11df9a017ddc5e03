/** Webhooks full of data: no step parses much of it, so others have their turn whatever the size. */
import t from 'tap'
import { measureJson } from '#server/platform/text/json.ts'
import { valuesAtOnce } from '#server/platform/text/json-parts.ts'
import { webhookFields } from '#server/whatsapp/webhooks/field-items.ts'
import { readWebhook } from '#server/whatsapp/webhooks/webhook.ts'
import { webhookLimitBytes } from '#shared/kernel/limits.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

/** Opening a part and reading it whole. */
const valuesPerStep = 2 * valuesAtOnce + 1000
const room = webhookLimitBytes - 1000
/** One field for each reader. */
const kinds = [...new Map([...webhookFields].map(([field, { read, lists }]) => [read, { field, lists }])).values()]

const fill = (unit: (i: number) => string, values: number): string => {
  const perUnit = measureJson(Buffer.from(unit(0))).values
  const parts: string[] = []
  for (let i = 0, size = 0; i < Math.floor(values / perUnit); i += 1) {
    const part = unit(i)
    size += part.length + 1
    if (size > room) break
    parts.push(part)
  }
  return parts.join(',')
}
/** Three times what a step may parse, so that reading at once would show. */
const most = 3 * valuesAtOnce
const fields = (count: number) => fill(i => `"k${i.toString(36)}":1`, count)
const metadata = '"metadata":{"phone_number_id":"106540352242922"}'
const change = (field: string, rest: string) =>
  `{"entry":[{"id":"1","changes":[{"field":"${field}","value":{${metadata},${rest}}}]}]}`

/** The ways in which a list can be expensive: many elements, long integers, large elements, a single element. */
const elements = (): Record<string, string> => ({
  'empty objects': fill(() => '{}', most),
  'long integers': fill(() => '12345678901234567', most),
  messages: fill(
    i => `{"id":"wamid.${i}","from":"5491155551234","timestamp":"1795179600","type":"text","text":{"body":"x"}}`,
    most,
  ),
  people: fill(i => `{"wa_id":"54911${10_000_000 + i}","profile":{"name":"José"}}`, most),
  threads: fill(i => `{"threads":[{"id":"54911${10_000_000 + i}","messages":[]}]}`, most),
  'objects of many fields': fill(() => `{"id":"a",${fields(900)}}`, most),
  'one object of all': `{${fields(most)}}`,
  'one list of all': `[${fill(() => '{}', most)}]`,
})

/** Values passed to JSON.parse while `work` runs. */
const valuesParsed = (work: () => void): number => {
  const { parse } = JSON
  let values = 0
  JSON.parse = (text, reviver) => {
    values += measureJson(Buffer.from(text)).values
    return parse(text, reviver)
  }
  try {
    work()
  } finally {
    JSON.parse = parse
  }
  return values
}

/** The most values that one step parsed, and the number of items. */
const readAll = (json: string) => {
  let longest = 0
  let items = 0
  let steps: Iterator<unknown> | undefined
  for (let isDone = false; !isDone; items += 1) {
    const parsed = valuesParsed(() => {
      steps ??= readWebhook(Buffer.from(json), '2026-11-20T13:00:05.000Z')[Symbol.iterator]()
      isDone = steps.next().done === true
    })
    longest = Math.max(longest, parsed)
  }
  return { longest, items: items - 1 }
}

t.test('each list of each field is read in small steps, whatever it contains', async t => {
  const shapes = Object.entries(elements())
  for (const { field, lists } of kinds)
    for (const list of lists)
      for (const [shape, body] of shapes) {
        const json = change(field, `"${list}":[${body}]`)
        t.ok(json.length <= webhookLimitBytes)
        const { longest, items } = readAll(json)
        if (longest > valuesPerStep || items < 1) t.fail(`${field}.${list} of ${shape}: ${longest} in a step`)
      }
})

t.test('a value that is not a list is read whole, or kept as its beginning', async t => {
  for (const field of [...kinds.map(kind => kind.field), 'nobody knows'])
    for (const [shape, rest] of [
      ['fields', fields(most)],
      ['a list', `"x":[${fill(() => '{}', most)}]`],
      ['an object', `"x":{${fields(most)}}`],
    ] as const) {
      const { longest, items } = readAll(change(field, rest))
      t.ok(longest <= valuesPerStep, `${field}, ${shape}: ${longest} in a step`)
      t.equal(items, 1)
    }
})

t.test('what surrounds the changes is read in small steps, too', async t => {
  for (const json of [
    `{"entry":[${fill(() => '{"changes":[]}', most)}]}`,
    `{"entry":[{"id":"1","changes":[${fill(() => '{"field":"z","value":{}}', most)}]}]}`,
    `{"entry":[{"id":"1","changes":[${fill(() => '{"field":"messages","value":{"messages":[]}}', most)}]}]}`,
    `{"entry":[${fill(() => '12345678901234567', most)}]}`,
    `{"entry":{${fields(most)}}}`,
    `{${fields(most)}}`,
    `[${fill(() => '{}', most)}]`,
    change('history', `"history":[{"threads":[${fill(i => `{"id":"54911${10_000_000 + i}","messages":[]}`, most)}]}]`),
  ]) {
    const { longest, items } = readAll(json)
    t.ok(longest <= valuesPerStep, `${json.slice(0, 60)}: ${longest} in a step`)
    t.ok(items >= 1)
  }
})
