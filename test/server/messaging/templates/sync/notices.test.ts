/** The notifications about templates that owners and administrators get, with the simulator as Meta. */
import t from 'tap'
import { aBulkStage as stage } from '#test/helpers/bulk-stage.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('a quality that falls and recovers is notified once each; a first good rating is not', async t => {
  const { ask, backend, id, later } = await stage(t)
  const titles = async () => (await ask<{ title: string }[]>('GET', '/notify')).json.map(({ title }) => title)
  const decide = async (body: object) => {
    await ask('POST', `/sandbox/template/${id}`, body)
    await later(1_000)
  }
  const before = (await titles()).length
  const since = async () => (await titles()).slice(0, -before || undefined).toReversed()
  await decide({ quality: 'GREEN' })
  t.same(await since(), [])
  await decide({ quality: 'YELLOW' })
  await decide({ quality: 'RED' })
  await decide({ quality: 'RED' })
  await decide({ quality: 'GREEN' })
  const [medium, low, high] = ['Template quality is medium', 'Template quality is low', 'Template quality is high']
  t.same(await since(), [medium, low, high])
  await decide({ status: 'PAUSED', quality: 'RED' })
  const paused = await since()
  t.equal(paused.filter(title => title === 'Template paused').length, 1)
  await decide({ category: 'MARKETING' })
  t.same((await since()).slice(paused.length), ['Template category changed'])
  t.same(backend.errors(), [])
})
