import { test } from 'tap'
import { ApiError } from '#client/app/calls/api-error.ts'
import { logCaught } from '#client/app/rendering/caught-errors.ts'

const logged = (error: unknown): unknown[] => {
  const lines: unknown[] = []
  const { error: before } = console
  console.error = line => lines.push(line)
  try {
    logCaught(error)
  } finally {
    console.error = before
  }
  return lines
}
const refused = (status: number) => new ApiError({ status, code: 'X', message: 'x' })

test('a refusal that a page shows is not logged, every other caught error is', async t => {
  t.same(logged(refused(404)), [])
  t.same(logged(refused(403)), [])
  for (const fault of [refused(500), refused(0), new Error('broken'), 'text']) t.same(logged(fault), [fault])
})
