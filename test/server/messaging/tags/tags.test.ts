import t, { type Test } from 'tap'
import { newId } from '#server/platform/crypto/ids.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { maxTags, maxTagsOfContact, tagHues, tagLabelMaxChars } from '#shared/tags/api.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const phone = '5491155550202'

/** An organization on the simulator to which one customer has written. */
const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const { databases } = backend
  const owner = await aMember({ databases })
  const { org } = owner
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    who: Pick<AMember, 'cookie'> = owner,
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: who.cookie },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  await call('POST', '/whatsapp/connection/sandbox')
  await call('POST', '/sandbox/inbound', { from: phone, text: 'Hola', name: 'Lucía' })
  await backend.settle()
  const create = async (label: string) => (await call('POST', '/whatsapp/tags', { label })).body as { id: string }
  const put = (tagId: string, who?: AMember) => call('PUT', `/whatsapp/chats/${phone}/tags/${tagId}`, undefined, who)
  const take = (tagId: string, who?: AMember) =>
    call('DELETE', `/whatsapp/chats/${phone}/tags/${tagId}`, undefined, who)
  const labels = async () =>
    ((await call('GET', '/whatsapp/all-tags')).body.items as { label: string }[]).map(tag => tag.label)
  const tagsOfChat = async () =>
    ((await call('GET', `/whatsapp/conversations/${phone}`)).body.tags as { label: string }[]).map(tag => tag.label)
  /** The events that open tabs got since the last call. */
  let seen = 0
  const emitted = async () => {
    const rows = await databases.read
      .selectFrom('event')
      .select(['seq', 'type', 'audience'])
      .where('org_id', '=', org.id)
      .where('seq', '>', seen)
      // Activity lines of the thread are left out.
      .where('type', '<>', 'internal')
      .orderBy('seq')
      .execute()
    seen = rows.at(-1)?.seq ?? seen
    return rows.map(({ type, audience }) => (audience ? [type, JSON.parse(audience)] : type))
  }
  await emitted()
  return { backend, databases, org, owner, call, create, put, take, labels, tagsOfChat, emitted }
}

t.test('tags are created, renamed and listed by label, and labels are kept as entered', async t => {
  const { call, create, labels, emitted } = await stage(t)
  const vip = await create('  Cliente   VIP ')
  await create('Anticipo')
  t.same(await labels(), ['Anticipo', 'Cliente VIP'])
  t.same(await call('PATCH', `/whatsapp/tags/${vip.id}`, { label: 'cliente vip' }), {
    status: 200,
    body: { id: vip.id, label: 'cliente vip', hue: 0 },
  })
  t.same(await emitted(), ['tags', 'tags', 'tags'])
  t.equal((await call('PATCH', `/whatsapp/tags/${vip.id}`, { label: 'cliente vip ' })).status, 200)
  t.same(await emitted(), [], 'the same label again is no news')
})

t.test('a label that exists in any spelling is refused by its field and changes nothing', async t => {
  const { call, create, labels, emitted } = await stage(t)
  await create('Atención')
  const other = await create('Otra')
  await emitted()
  for (const label of ['Atención', 'ATENCION', ' atencio\u0301n '])
    for (const [method, path] of [
      ['POST', '/whatsapp/tags'],
      ['PATCH', `/whatsapp/tags/${other.id}`],
    ] as const)
      t.match(await call(method, path, { label }), {
        status: 409,
        body: { code: 'TAGS_LABEL_TAKEN', details: [{ field: 'body.label' }] },
      })
  t.same(await labels(), ['Atención', 'Otra'])
  t.same(await emitted(), [])
})

t.test('a label without visible characters is refused by its field', async t => {
  const { call, labels } = await stage(t)
  for (const label of ['', '   ', '\u200b\u200b', 'a\u202eb', 'x'.repeat(tagLabelMaxChars + 1)])
    t.match(await call('POST', '/whatsapp/tags', { label }), {
      status: 400,
      body: { details: [{ field: 'body.label' }] },
    })
  t.same(await labels(), [])
})

t.test('the numbers of tags per organization and per contact are limited', async t => {
  const { call, databases, org, put, tagsOfChat, labels } = await stage(t)
  const ids = Array.from({ length: maxTags }, () => newId())
  await inTransaction(databases, async trx => {
    for (const [i, id] of ids.entries())
      await trx
        .insertInto('tag')
        .values({ id, org_id: org.id, label: `Etiqueta ${i}`, created_at: '' })
        .execute()
  })
  t.match(await call('POST', '/whatsapp/tags', { label: 'Una más' }), { status: 409, body: { code: 'TAGS_TOO_MANY' } })
  t.equal((await labels()).length, maxTags)
  for (const id of ids.slice(0, maxTagsOfContact)) t.equal((await put(id)).status, 200)
  t.match(await put(ids[maxTagsOfContact] as string), { status: 409, body: { code: 'TAGS_TOO_MANY_ON_CONTACT' } })
  t.equal((await put(ids[0] as string)).status, 200, 'one it has is no more')
  t.equal((await tagsOfChat()).length, maxTagsOfContact)
})

t.test('a tag is added and removed; repeating changes nothing, and open pages are updated', async t => {
  const { create, put, take, tagsOfChat, emitted, call } = await stage(t)
  const vip = await create('VIP')
  await emitted()
  t.match(await put(vip.id), { status: 200, body: { tags: [{ id: vip.id, label: 'VIP' }] } })
  t.same(await emitted(), ['conversation'])
  t.equal((await put(vip.id)).status, 200)
  t.same(await emitted(), [])
  t.same((await call('GET', `/whatsapp/conversations?tag=${vip.id}`)).body.items.length, 1)
  t.match(await take(vip.id), { status: 200, body: { tags: [] } })
  t.same(await emitted(), ['conversation'])
  t.equal((await take(vip.id)).status, 200)
  t.same(await emitted(), [])
  t.same(await tagsOfChat(), [])
})

t.test('an unknown tag or conversation is refused', async t => {
  const { call, create, put, take } = await stage(t)
  const vip = await create('VIP')
  for (const change of [put, take]) t.match(await change(newId()), { status: 404, body: { code: 'TAGS_NOT_FOUND' } })
  t.match(await call('PUT', `/whatsapp/chats/5491100000000/tags/${vip.id}`), {
    status: 404,
    body: { code: 'INBOX_CHAT_NOT_FOUND' },
  })
  for (const method of ['GET', 'PATCH', 'DELETE'] as const)
    t.match(await call(method, `/whatsapp/tags/${newId()}`, method === 'PATCH' ? { label: 'x' } : undefined), {
      status: 404,
      body: { code: 'TAGS_NOT_FOUND' },
    })
})

t.test('a new tag gets the least used colour; another can be chosen, and open pages are updated', async t => {
  const { call, create, emitted } = await stage(t)
  for (let hue = 0; hue < tagHues; hue += 1) t.match(await create(`Etiqueta ${hue}`), { hue })
  t.match(await call('POST', '/whatsapp/tags', { label: 'Azul', hue: 7 }), { status: 201, body: { hue: 7 } })
  const next = await create('La que sigue')
  t.match(next, { hue: 0 })
  await emitted()
  t.match(await call('PATCH', `/whatsapp/tags/${next.id}`, { hue: 3 }), {
    status: 200,
    body: { label: 'La que sigue', hue: 3 },
  })
  t.same(await emitted(), ['tags'])
  t.equal((await call('PATCH', `/whatsapp/tags/${next.id}`, { hue: 3 })).status, 200)
  t.same(await emitted(), [], 'the same colour again is no news')
  for (const body of [{ hue: tagHues }, { hue: -1 }, { hue: 1.5 }])
    t.match(await call('PATCH', `/whatsapp/tags/${next.id}`, body), {
      status: 400,
      body: { details: [{ field: 'body.hue' }] },
    })
  t.equal((await call('PATCH', `/whatsapp/tags/${next.id}`, {})).status, 400)
})

t.test('after a merge every contact of the one tag has the other once, and no role gains permissions', async t => {
  const { call, create, databases, org, put, tagsOfChat, emitted } = await stage(t)
  const [kept, gone] = [await create('Mayorista'), await create('Mayoristas')]
  await put(gone.id)
  await call('POST', '/members/content-permissions', { role: 'member', phoneTagId: gone.id, granted: true })
  const both = newId()
  await inTransaction(databases, async trx => {
    const ids = [both, ...Array.from({ length: 1100 }, () => newId())]
    for (const id of ids) {
      await trx
        .insertInto('contact')
        .values({ id, org_id: org.id, created_at: '', updated_at: '' } as never)
        .execute()
      await trx.insertInto('contact_tag').values({ contact_id: id, tag_id: gone.id, org_id: org.id }).execute()
    }
    await trx.insertInto('contact_tag').values({ contact_id: both, tag_id: kept.id, org_id: org.id }).execute()
  })
  await emitted()
  const merge = (from: string, into: string) => call('POST', `/whatsapp/tags/${from}/merge`, { into })
  t.match(await merge(gone.id, kept.id), { status: 200, body: { id: kept.id, label: 'Mayorista' } })
  t.same(await emitted(), ['tags'])
  t.match((await call('GET', `/whatsapp/tags/${kept.id}`)).body, { contacts: 1102, roles: [] })
  t.same(await tagsOfChat(), ['Mayorista'])
  for (const table of ['contact_tag', 'content_access'] as const)
    t.same(await databases.read.selectFrom(table).selectAll().where('tag_id', '=', gone.id).execute(), [], table)
  t.match(await merge(gone.id, kept.id), { status: 404, body: { code: 'TAGS_NOT_FOUND' } })
  t.match(await merge(kept.id, kept.id), { status: 400, body: { details: [{ field: 'body.into' }] } })
  t.equal((await merge(kept.id, newId())).status, 404)
  t.match((await call('GET', `/whatsapp/tags/${kept.id}`)).body, { contacts: 1102 })
})

t.test('adding a tag and archiving at the same time both take effect', async t => {
  const { call, create, put } = await stage(t)
  const vip = await create('VIP')
  await Promise.all([put(vip.id), call('POST', '/whatsapp/chat/archive', { phoneNumber: phone })])
  t.match((await call('GET', `/whatsapp/conversations/${phone}`)).body, { archived: true, tags: [{ id: vip.id }] })
})

t.test('deleting a tag removes it from every contact, and a preview tells what is affected', async t => {
  const { call, create, databases, org, put, tagsOfChat, emitted } = await stage(t)
  const vip = await create('VIP')
  await put(vip.id)
  await call('POST', '/members/content-permissions', { role: 'member', phoneTagId: vip.id, granted: true })
  await inTransaction(databases, async trx => {
    for (let i = 0; i < 1100; i += 1) {
      const id = newId()
      await trx
        .insertInto('contact')
        .values({ id, org_id: org.id, created_at: '', updated_at: '' } as never)
        .execute()
      await trx.insertInto('contact_tag').values({ contact_id: id, tag_id: vip.id, org_id: org.id }).execute()
    }
  })
  t.match((await call('GET', `/whatsapp/tags/${vip.id}`)).body, { label: 'VIP', contacts: 1101, roles: ['member'] })
  await emitted()
  t.same(await call('DELETE', `/whatsapp/tags/${vip.id}`), { status: 200, body: { success: true } })
  t.same(await emitted(), ['tags'])
  for (const table of ['tag', 'contact_tag', 'content_access'] as const)
    t.same(await databases.read.selectFrom(table).selectAll().where('org_id', '=', org.id).execute(), [], table)
  t.same(await tagsOfChat(), [])
  t.equal((await call('DELETE', `/whatsapp/tags/${vip.id}`)).status, 404)
})

t.test('members may create and add tags; only those who manage people rename and delete them', async t => {
  const { call, create, databases, org, put } = await stage(t)
  const vip = await create('VIP')
  const member = await aMember({ databases, org, role: 'member' })
  const viewer = await aMember({ databases, org, role: 'viewer' })
  t.equal((await call('POST', '/whatsapp/tags', { label: 'Nueva' }, member)).status, 201)
  t.equal((await put(vip.id, member)).status, 200)
  t.equal((await put(vip.id, viewer)).status, 403)
  t.equal((await call('GET', '/whatsapp/all-tags', undefined, viewer)).status, 200)
  t.equal((await call('POST', `/whatsapp/tags/${vip.id}/merge`, { into: vip.id }, member)).status, 403)
  for (const method of ['GET', 'PATCH', 'DELETE'] as const)
    t.equal(
      (await call(method, `/whatsapp/tags/${vip.id}`, method === 'PATCH' ? { label: 'x' } : undefined, member)).status,
      403,
    )
})

t.test('if a tag decides visibility, only affected members are told to reload', async t => {
  const { call, create, databases, org, put, take, emitted } = await stage(t)
  const vip = await create('VIP')
  const other = await create('Otra')
  const neutral = await create('Neutral')
  const ana = await aMember({ databases, org, role: 'member' })
  const grant = (tagId: string) =>
    call('POST', '/members/content-permissions', { role: 'member', phoneTagId: tagId, granted: true })
  for (const tag of [vip, other]) await grant(tag.id)
  await call('PUT', '/members/content-access', { conversations: true })
  const sees = async () => (await call('GET', '/whatsapp/conversations', undefined, ana)).body.items.length
  const forgets = ['visibility', [ana.user.id]]
  await emitted()
  t.equal((await call('PUT', `/whatsapp/chats/${phone}/tags/${vip.id}`, undefined, ana)).status, 404, 'not hers to tag')
  t.equal(await sees(), 0)
  await put(vip.id)
  t.same(await emitted(), ['conversation', forgets])
  t.equal(await sees(), 1)
  await put(neutral.id)
  await put(other.id)
  await take(vip.id)
  t.same(await emitted(), ['conversation', 'conversation', 'conversation'], 'the other tag shows it still')
  t.equal((await take(other.id, ana)).status, 200)
  t.same(await emitted(), ['conversation', forgets])
  t.equal(await sees(), 0)
  await put(vip.id)
  await emitted()
  await call('DELETE', `/whatsapp/tags/${vip.id}`)
  t.same(await emitted(), ['tags', forgets])
  t.equal(await sees(), 0)
})
