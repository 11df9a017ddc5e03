import t from 'tap'
import { examineUpstream } from '#server/cli/examine/upstream.ts'
import { testSecret } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { upstreamStage } from '#test/helpers/upstream-stage.ts'

type Stage = Awaited<ReturnType<typeof upstreamStage>>

const findingsOf = async ({ backend, databases }: Stage) => {
  const found = []
  for await (const one of examineUpstream(backend.parts.config, databases, backend.clock, [testSecret])) found.push(one)
  return found
}

t.test('every reading call is asked once and named', async t => {
  const stage = await upstreamStage(t, { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` })
  t.match(await findingsOf(stage), [{ name: 'Product API', fix: /open the inbox/ }], 'before the first call')
  stage.aChat('5491155550101', 'Lucía Méndez', ['Hola'])
  await stage.call('GET', '/verify/waba')
  const found = await findingsOf(stage)
  t.same(
    found.map(({ name, fix }) => [name.trim(), fix]),
    [
      ['Product API', undefined],
      ['GET /verify/waba', undefined],
      ['GET /whatsapp/template', undefined],
      ['GET /whatsapp/all-conversations', undefined],
      ['GET /whatsapp/conversations', undefined],
      ['GET /whatsapp/chat-name/:phone', undefined],
      ['GET /whatsapp/chats/:phone', undefined],
    ],
  )
})

t.test('every fault that is found has a fix', async t => {
  const hourAgo = new Date(Date.now() - 60 * 60 * 1000).toISOString()
  const stage = await upstreamStage(t, { clock: handClock(hourAgo) })
  t.equal((await stage.call('GET', '/verify/waba')).body.code, 'UPSTREAM_TOKEN_REFUSED')
  const behind = await findingsOf(stage)
  t.match(behind[0], { says: /clock differs by 3[56]\d\d seconds/, fix: /NTP/ })
  t.match(behind[1], { says: 'the token is not accepted', fix: /jwks\.json/ })
  stage.example.server.closeAllConnections()
  await new Promise(done => stage.example.server.close(done))
  const dead = await findingsOf(stage)
  t.ok(dead.length > 1 && dead.every(({ fix }) => fix))
  t.match(dead[1]?.says, /no answer/)
})
