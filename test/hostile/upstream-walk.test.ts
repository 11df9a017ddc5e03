/**
 * Every role of two organizations makes every call that an upstream answers. The upstream must always get the caller's
 * own token, and every response must be one that the contract declares.
 */
import t from 'tap'
import type { EndpointShape } from '#shared/kernel/contract.ts'
import { orgRoles } from '#shared/kernel/permissions.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { addressOf, exampleOf } from '#test/helpers/examples.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

t.setTimeout(fileTimeoutMs)

t.test('no call is made with the token of somebody else', async t => {
  const { backend, databases, call, aChat, owner, example } = await upstreamStage(t)
  const other = await aMember({ databases, orgName: 'Otra' })
  aChat('5491155550101', 'Lucía', ['Hola'])
  aChat('5491155550101', 'La misma en otra organización', ['Buenas'], other.org.id)
  const people: AMember[] = []
  for (const { org } of [owner, other])
    for (const role of orgRoles) people.push(await aMember({ databases, org, role }))
  const replaced = Object.entries(backend.parts.contracts).flatMap(([service, endpoints]) =>
    Object.entries(endpoints).flatMap(([name, endpoint]) =>
      endpoint.withRequest ? [{ service, name, endpoint }] : [],
    ),
  )
  t.ok(replaced.length > 40, `${replaced.length} calls`)
  const inputOf = (name: string, endpoint: EndpointShape) => {
    const input = exampleOf(name, endpoint)
    if (input.params && 'phone' in input.params) input.params.phone = '5491155550101'
    return input
  }
  // Some calls answer before the upstream does, which then answers beside the next call.
  const callers = new Map<unknown, { who: AMember; name: string; status: number }>()
  for (const { service, name, endpoint } of replaced)
    for (const who of people) {
      const input = inputOf(`${service}.${name}`, endpoint)
      const { status, headers } = await call(endpoint.method, addressOf(endpoint.path, input), input.body, { who })
      t.ok(status < 500 || status === 502, `${service}.${name} as ${who.member.role}: ${status}`)
      callers.set(headers['x-request-id'], { who, name, status })
    }
  t.equal(callers.size, replaced.length * people.length)
  for (const { claims } of example.asked) {
    const { who, name, status } = callers.get(claims.rid) as { who: AMember; name: string; status: number }
    t.same([claims.org, claims.sub, claims.role], [who.org.id, `person:${who.user.id}`, who.member.role], name)
    t.not(status, 403, `${name}: whom we refuse is not passed on`)
  }
  t.ok(example.asked.length > 100, `${example.asked.length} questions to the upstream`)
  t.same(backend.errors(), [])
})
