import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { anOldDatabase } from '#test/helpers/old-database.ts'

t.test('what waited in the simulator before its waits were jobs waits still', async t => {
  const old = await anOldDatabase(t, '20261122T1900')
  const { databases } = old
  const { org } = await aMember({ databases })
  const at = Date.parse('2026-11-20T12:00:00.000Z')
  await old.insert('sandbox_number', {
    org_id: org.id,
    phone_number_id: '1',
    waba_id: '2',
    app_id: '3',
    phone: '5491170170000',
    verified_name: 'Test',
    token_hash: 'x',
    app_secret_sealed: 'x',
    connection_id: null,
    subscribed: 1,
    behaviour: '{}',
    aged_ms: 0,
  })
  const wait = { org_id: org.id, wa_id: '5491155551234', attempts: 0, since_ms: at }
  const step = { ...wait, kind: 'step', lane: 'wamid.A==', body: null }
  await old.insert('sandbox_job', { ...step, plan: 'delivered read', due_ms: at + 1000 })
  await old.insert('sandbox_job', { ...step, plan: 'read', due_ms: null })
  const body = '{"said":"¿\\"Hola\\"?"}'
  await old.insert('sandbox_job', {
    ...wait,
    kind: 'post',
    lane: 'wamid.A==',
    plan: null,
    body,
    attempts: 3,
    due_ms: at + 60_000,
  })
  await old.insert('sandbox_template', {
    id: '77',
    org_id: org.id,
    name: 'aviso',
    language: 'es',
    status: 'PENDING',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: '[]',
    quality: 'UNKNOWN',
    rejected_reason: 'NONE',
    pauses: 0,
    edits_ms: '[]',
    review_ms: at + 3000,
    created_ms: at,
  })
  await old.insert('job_lease', { name: 'simulator', owner: 'gone' })
  await old.upgrade()
  const jobs = (await old.jobs()).map(({ payload, ...row }) => ({ ...row, payload: JSON.parse(payload) }))
  const common = { org_id: org.id, state: 'scheduled', attempts: 0, added_at: new Date(at).toISOString() }
  const statuses = { wamid: 'wamid.A==', waId: '5491155551234' }
  t.match(jobs, [
    {
      ...common,
      kind: 'simulator.status',
      queue: `simulator.status/1/${org.id}/`,
      reason: null,
      due_at: '2026-11-20T12:00:01.000Z',
      payload: { ...statuses, plan: ['delivered', 'read'] },
    },
    {
      ...common,
      kind: 'simulator.status',
      reason: 'customer 5491155551234',
      due_at: '2026-12-20T12:00:00.000Z',
      payload: { ...statuses, plan: ['read'] },
    },
    {
      ...common,
      kind: 'simulator.webhook',
      queue: `simulator.webhook/1/${org.id}/`,
      order_key: 'wamid.A==',
      due_at: '2026-11-20T12:01:00.000Z',
      payload: { body, tried: 3 },
    },
    {
      ...common,
      kind: 'simulator.review',
      queue: `simulator.review/1/${org.id}/`,
      unique_key: '77',
      due_at: '2026-11-20T12:00:03.000Z',
      payload: { templateId: '77' },
    },
  ])
  t.equal(jobs.length, 4)
  t.strictSame(await databases.read.selectFrom('job_lease').selectAll().execute(), [])
})
