import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { readAudience } from '#server/features/bulk-sends/audience/audience.ts'
import type { Candidate } from '#server/features/bulk-sends/planning/planner.ts'
import type { Audience } from '#shared/bulk-sends/audience.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const databases = await freshDatabases()
t.teardown(() => databases.close())

const everybody = async (audience: Audience): Promise<Candidate[]> => {
  const all: Candidate[] = []
  const parts = {
    db: databases.read,
    clock: handClock(),
    orgId: 'nobody',
    granted: null,
    withTags: false,
    country: 'AR' as const,
    findCapped: async () => new Set<string>(),
    findFacts: async () => new Map(),
    findKept: async () => new Map(),
  }
  for await (const some of readAudience(audience, parts)) all.push(...some)
  return all
}

/** One phone number in ten spellings, and texts that are no number. */
const local = fc.integer({ min: 1000, max: 9999 }).map(n => `5555${n}`)
const spelled = fc.oneof(
  local.map(rest => ({ given: `11 ${rest.slice(0, 4)}-${rest.slice(4)}`, phone: `54911${rest}` })),
  local.map(rest => ({ given: `011 15 ${rest}`, phone: `54911${rest}` })),
  local.map(rest => ({ given: `+54 9 11 ${rest}`, phone: `54911${rest}` })),
  local.map(rest => ({ given: `0054911${rest}`, phone: `54911${rest}` })),
  local.map(rest => ({ given: `(+54) 11.${rest}`, phone: `54911${rest}` })),
  fc.constantFrom('=B12&C12', 'Ana', '4711', 'x@y.z', '+').map(given => ({ given, phone: null })),
)
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const separator = fc.constantFrom(',', ';', '\t', '|')
const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
const note = fc.string({ maxLength: 12 }).filter(text => text.isWellFormed() && !text.includes('\0'))

t.test("each row of a file is one person with their number and cells, whatever the file's format", async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: spelled, note }), { minLength: 1, maxLength: 130 }),
      fc.record({ separator, lineEnd, hasMark: fc.boolean() }),
      async (rows, { separator, lineEnd, hasMark }) => {
        const lines = rows.map(({ who, note }) => [who.given, note].map(quoted).join(separator))
        const text = `${hasMark ? '\ufeff' : ''}${[`teléfono${separator}nota`, ...lines].join(lineEnd)}`
        const found = await everybody({ csv: { text } })
        assert.deepEqual(
          found.map(({ phone, row }) => [phone, row?.nota]),
          rows.map(({ who, note }) => [who.phone, note.trim()]),
        )
      },
    ),
  )
  t.pass()
})

/** A text without digits on the line of a number is that number's name; elsewhere it is reported as no number. */
const withoutNames = (typed: readonly [{ given: string; phone: string | null }, string][]) => {
  const lines: { given: string; phone: string | null }[][] = [[]]
  for (const [one, end] of typed) {
    lines.at(-1)?.push(one)
    if (end.includes('\n')) lines.push([])
  }
  return lines.flatMap(line =>
    line.some(({ phone }) => phone !== null) ? line.filter(({ given }) => /\d/.test(given)) : line,
  )
}

t.test('each pasted number is one person, whatever separates them', async t => {
  const between = fc.constantFrom('\n', '\r\n', ',', ';', '\t', ', ', ';\n\n')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(spelled, between), { minLength: 1, maxLength: 130 }), async typed => {
      const found = await everybody({ numbers: typed.map(([{ given }, end]) => given + end).join('') })
      const wanted = withoutNames(typed)
      const numbers = (list: readonly { phone: string | null }[]) => list.flatMap(({ phone }) => phone ?? [])
      const others = (list: readonly { given: string; phone: string | null }[]) =>
        list.flatMap(({ given, phone }) => (phone === null ? [given] : [])).sort()
      assert.deepEqual(numbers(found), numbers(wanted))
      assert.deepEqual(others(found), others(wanted))
    }),
  )
  t.pass()
})
