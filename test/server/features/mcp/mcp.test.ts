import t from 'tap'
import { aKey } from '#test/helpers/api-keys.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { connectAgent, textOf } from '#test/helpers/mcp.ts'

const phone = '5491155550101'

const agentStage = async (t: Parameters<typeof chatStage>[0], facts: Parameters<typeof aKey>[2] = {}) => {
  const stage = await chatStage(t)
  await stage.call('POST', '/sandbox/inbound', { from: phone, name: 'Ana', type: 'text', text: '¿Hacen envíos?' })
  await stage.backend.settle()
  const { key, id } = await aKey(stage.backend.app, stage.owner.cookie, facts)
  return { ...stage, key, keyId: id }
}

for (const mode of ['auto', 'legacy'] as const)
  t.test(`the official client works with conversations (${mode})`, async t => {
    const { backend, key, call, owner } = await agentStage(t)
    const { client, use } = await connectAgent(t, backend.url, key, { mode })
    const { tools } = await client.listTools()
    t.match(
      tools.map(({ name }) => name),
      ['conversations_find', 'conversations_read', 'messages_search', 'messages_send'],
    )
    for (const { name, description, inputSchema, outputSchema } of tools)
      t.ok(description && inputSchema.type === 'object' && outputSchema?.type === 'object', name)
    const saysWhat = (one: unknown) => /"(description|enum)":/.test(JSON.stringify(one))
    const silent = tools.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties ?? {}).flatMap(([field, one]) =>
        saysWhat(one) ? [] : [`${name}.${field}`],
      ),
    )
    t.same(silent, [], 'each argument says what it is')

    const found = await use<{ items: { phone: string }[] }>('conversations_find', { search: 'Ana' })
    t.same(
      found.items.map(one => one.phone),
      [phone],
    )
    t.match(await use('conversations_read', { phone }), { items: [{ text: '¿Hacen envíos?', direction: 'in' }] })
    t.match(await use('messages_search', { q: 'envios' }), { items: [{}] })
    t.match(await use('window_get', { phone }), { windowClosesAt: String })
    t.match(await use('contacts_find', { search: 'Ana' }), { items: [{ profileName: 'Ana' }] })
    t.match(await use('contacts_read', { phone }), { profileName: 'Ana' })

    t.match(await use('notes_add', { phone, text: 'Prefiere la tarde' }), { type: 'note', author: { name: 'CRM' } })
    t.match(await use('notes_list', { phone }), { items: [{ text: 'Prefiere la tarde' }] })
    const tag = (await call('POST', '/whatsapp/tags', { label: 'Envíos' })).body
    t.match(await use('tags_list'), { items: [{ label: 'Envíos' }] })
    t.match(await use('tags_set', { phone, tagId: tag.id }), { tags: [{ label: 'Envíos' }] })
    t.match(await use('tags_remove', { phone, tagId: tag.id }), { tags: [] })
    const people = await use<{ items: { id: string }[] }>('people_list', { phone })
    t.match(await use('conversations_assign', { phone, userId: people.items[0]?.id }), {
      assignee: { id: owner.user.id },
    })
    t.match(await use('conversations_snooze', { phone, ifNoAnswerWithinMs: 3_600_000 }), { snoozedUntil: String })
    t.match(await use('templates_list'), { items: Array })
    t.match(await use('flows_list'), { items: Array })
    t.match(await use('stats_summary', { days: 7 }), { figures: {} })

    const draft = { person: { id: owner.user.id }, text: 'Sí, a todo el país' }
    t.match(await use('messages_draft', { phone, text: 'Sí, a todo el país' }), draft)
    t.match((await call('GET', '/whatsapp/team-drafts')).body.own, [{ phone, text: 'Sí, a todo el país' }])
    const say = { numberTel: phone, message: 'Sí, a todo el país', idempotencyKey: 'answer-1' }
    const sent = await use<{ id: string }>('messages_send', say)
    t.match(sent, { status: 'queued', direction: 'out', author: { name: 'CRM' } })
    t.equal((await use<{ id: string }>('messages_send', say)).id, sent.id, 'the same key sends once')
    await backend.settle()
    const { items } = (await call('GET', `/whatsapp/chats/${phone}`)).body
    t.equal(
      items.filter(({ type, direction }: Record<string, string>) => type === 'text' && direction === 'out').length,
      1,
    )
    t.same(backend.errors(), [])
  })

t.test('a conversation is a resource, and the prompt for a handover brings it', async t => {
  const { backend, key } = await agentStage(t)
  const { client } = await connectAgent(t, backend.url, key, { headers: { 'accept-language': 'es' } })
  const { resources } = await client.listResources()
  t.match(resources, [{ name: 'Ana', uri: /^recado:\/\/conversations\// }])
  const { contents } = await client.readResource({ uri: String(resources[0]?.uri) })
  const { text } = contents[0] as { text: string }
  t.match(text, /Customer: Ana \(\+54 9 11 5555 0101\)/)
  t.match(text, /\n\S+ Ana\n> ¿Hacen envíos\?\n/)
  t.match(await client.listResourceTemplates(), {
    resourceTemplates: [{ uriTemplate: 'recado://conversations/{phone}' }],
  })
  const { prompts } = await client.listPrompts()
  t.match(prompts, [{ name: 'handover_summary', title: 'Resumen para un traspaso' }])
  const { messages } = await client.getPrompt({ name: 'handover_summary', arguments: { phone } })
  t.match(messages, [
    { content: { text: /^Resumí esta conversación/ } },
    { content: { resource: { text: /> ¿Hacen/ } } },
  ])
  await t.rejects(client.readResource({ uri: 'recado://conversations/5491155559999' }))
  await t.rejects(client.readResource({ uri: 'file:///etc/passwd' }))
  await t.rejects(client.getPrompt({ name: 'nothing', arguments: {} }))
})

t.test('a key uses the tools that it was made for, and sees no others', async t => {
  const { backend, key } = await agentStage(t, { scopes: ['chat:read'] })
  const { client, use } = await connectAgent(t, backend.url, key)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  t.ok(names.includes('conversations_read'))
  for (const name of ['messages_send', 'messages_draft', 'notes_add', 'tags_set', 'flows_start', 'stats_summary']) {
    t.notOk(names.includes(name), name)
    await t.rejects(client.callTool({ name, arguments: { phone, numberTel: phone, text: 'x', message: 'x' } }), name)
  }
  t.match(await use('conversations_read', { phone }), { items: [{}] })
})

t.test('a refusal says why, in the language of the caller, and names the argument', async t => {
  const { backend, key } = await agentStage(t)
  const { client } = await connectAgent(t, backend.url, key, { headers: { 'accept-language': 'es' } })
  const refused = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args })
    t.equal(result.isError, true, name)
    t.equal(result.structuredContent, undefined)
    return textOf(result)
  }
  t.match(await refused('conversations_read', {}), /phone: /)
  t.match(await refused('conversations_find', { serch: 'Ana' }), /serch: /)
  t.match(await refused('conversations_find', { page: 'x' }), /query\.page: /)
  t.match(await refused('conversations_find', { search: 'x'.repeat(201) }), /query\.search: /)
  t.match(await refused('notes_add', { phone, text: ' ' }), /body\.text: /)
  t.match(await refused('conversations_read', { phone: '5491155559999' }), /INBOX_|APP_/)
  t.match(await refused('conversations_read', { phone: { a: 1 } }), /params\.phone|APP_/)
})

t.test('no argument leads a tool to another call', async t => {
  const { backend, key, call } = await agentStage(t, { scopes: ['chat:read', 'chat:reply', 'member:manage'] })
  const { client } = await connectAgent(t, backend.url, key)
  const { id: tagId } = (await call('POST', '/whatsapp/tags', { label: 'VIP' })).body
  for (const dots of ['..', '.']) {
    const result = await client.callTool({ name: 'tags_remove', arguments: { phone: dots, tagId } })
    t.equal(result.isError, true)
    t.match(textOf(result), /phone: /)
  }
  t.match((await call('GET', '/whatsapp/all-tags')).body, { items: [{ id: tagId }] }, 'the tag itself is not deleted')
})

t.test('each call of a tool stands in the record of calls, with its route', async t => {
  const { backend, key, keyId, call } = await agentStage(t)
  const { use, client } = await connectAgent(t, backend.url, key)
  await use('conversations_read', { phone })
  await client.callTool({ name: 'notes_add', arguments: { phone, text: ' ' } })
  const { items } = (await call('GET', `/organization/api-calls?key=${keyId}`)).body
  t.match(items, [
    { method: 'POST', route: '/api/whatsapp/conversations/:phone/notes', status: 400, code: 'APP_VALIDATION' },
    { method: 'GET', route: '/api/whatsapp/chats/:phone', status: 200 },
  ])
})
